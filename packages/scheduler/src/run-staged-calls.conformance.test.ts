import { describe, expect, test } from 'vitest'
import { runStagedCalls } from './run-staged-calls.js'
import { conformanceCases } from './testing/conformance.js'
import { type StagedScheduler } from './testing/hand-driven.js'

describe('the conformance suite', () => {
  for (const { invariants, name, check } of conformanceCases) {
    test(`${invariants}: ${name}`, async () => {
      await expect(check(runStagedCalls)).resolves.toBeUndefined()
    })
  }

  test('tells a scheduler that runs everything at once', async () => {
    const everythingAtOnce: StagedScheduler = async (calls, stages, journal) => {
      const signal = new AbortController().signal
      await Promise.all(
        calls.map(async call => {
          journal.started(call)
          const preparation = await stages.prepare(call, { kind: 'parallel' }, signal)
          if (preparation.kind !== 'dispatch') return
          const { settled } = await stages.dispatch(preparation.execution, signal)
          await journal.committed(call, await stages.finalize(preparation.execution, settled))
        }),
      )
      return { aborted: false, started: calls.length, skipped: 0 }
    }
    const failed: string[] = []
    for (const { name, check } of conformanceCases) {
      await check(everythingAtOnce).catch(() => failed.push(name))
    }
    expect(failed).toHaveLength(conformanceCases.length)
  })
})
