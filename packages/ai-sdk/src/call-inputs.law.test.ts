import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blocksOf, chunksOf } from '../test/collect.js'
import { finish, partsModel } from '../test/mock-model.js'
import { fromAiSdk } from './from-ai-sdk.js'

interface Call {
  readonly id: string
  readonly name: string
  readonly input: string
}

const calls = fc.array(
  fc.record({
    id: fc.constantFrom('', 'a', 'b'),
    name: fc.constantFrom('read', 'write'),
    input: fc.constantFrom('', '{}', '{"a":1}', '{"a":12}', '{"a":[1,2]}', '{"b":1}', 'not json'),
  }),
  { maxLength: 5 },
)

/** The parts of calls, each in its order, in an order of all that `picks` decides. */
function interleaved(of: readonly Call[], picks: readonly number[]): unknown[] {
  const queues = of.map(({ id, name, input }) => [
    { type: 'tool-input-start', id, toolName: name },
    ...Array.from(input, delta => ({ type: 'tool-input-delta', id, delta })),
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName: name, input },
  ])
  const parts: unknown[] = []
  for (let turn = 0; queues.some(queue => queue.length > 0); turn++) {
    const left = queues.filter(queue => queue.length > 0)
    parts.push(left[(picks[turn % picks.length] ?? 0) % left.length]?.shift())
  }
  return parts
}

it('C1, C2: however calls interleave, under whatever ids, each comes out once with its own input', async () => {
  const picks = fc.array(fc.nat(4), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(calls, picks, async (asked, order) => {
      const chunks = await chunksOf(fromAiSdk(partsModel([...interleaved(asked, order), finish()])))
      const found = blocksOf(chunks).map(block =>
        block.type === 'tool-call' ? [block.id, block.name, block.arguments].join(' ') : block.type,
      )
      expect(found.sort()).toEqual(asked.map(({ id, name, input }) => [id, name, input].join(' ')).sort())
    }),
    { numRuns: 300 },
  )
})
