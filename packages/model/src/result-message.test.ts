import { expect, it } from 'vitest'
import { resultMessage } from './result-message.js'

const content = [{ type: 'text', text: 'done' }] as const

it('is a complete result message whose id derives from the call', () => {
  expect(resultMessage('a', { content })).toStrictEqual({
    id: 'result_a',
    role: 'user',
    source: { kind: 'tool', callId: 'a' },
    content: [{ type: 'tool-result', toolCallId: 'a', content }],
  })
})

it('marks an error, and takes nothing else of what it is given', () => {
  const outcome = { content, isError: true, value: 5, error: { name: 'Error' } } as const
  expect(resultMessage('a', outcome).content).toStrictEqual([
    { type: 'tool-result', toolCallId: 'a', content, isError: true },
  ])
})
