import { expect, it } from 'vitest'
import { TOOL_ABORTED_BEFORE_DISPATCH, TOOL_NOT_STARTED, TOOL_OUTCOME_UNKNOWN } from './codes.js'
import { unrunError, unrunResult, unrunText } from './unrun-result.js'

it('says that a call had no effect only when it never ran', () => {
  expect(unrunText(TOOL_ABORTED_BEFORE_DISPATCH)).toContain('had no effect')
  expect(unrunText(TOOL_NOT_STARTED)).toContain('had no effect')
  expect(unrunText(TOOL_OUTCOME_UNKNOWN)).not.toContain('no effect')
  expect(unrunText(TOOL_OUTCOME_UNKNOWN)).toContain('do not repeat it blindly')
})

it('is a complete result message whose id derives from the call', () => {
  expect(unrunResult('a', TOOL_NOT_STARTED)).toEqual({
    id: 'result_a',
    role: 'user',
    source: { kind: 'tool', callId: 'a' },
    content: [
      {
        type: 'tool-result',
        toolCallId: 'a',
        content: [{ type: 'text', text: unrunText(TOOL_NOT_STARTED) }],
        isError: true,
      },
    ],
  })
})

it('names an abort as the platform does', () => {
  expect(unrunError(TOOL_ABORTED_BEFORE_DISPATCH)).toEqual({
    name: 'AbortError',
    code: 'ABORTED_BEFORE_DISPATCH',
  })
  expect(unrunError(TOOL_OUTCOME_UNKNOWN)).toEqual({ name: 'ToolError', code: 'TOOL_OUTCOME_UNKNOWN' })
})
