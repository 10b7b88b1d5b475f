import fc from 'fast-check'
import { expect, test } from 'vitest'
import { choices, scenarios } from '../fuzz/scenarios.js'
import { runStagedCalls } from './run-staged-calls.js'
import { playScenario } from './testing/play.js'

for (const failures of [false, true]) {
  test(`S1–S12: ${failures ? 'with' : 'without'} infrastructure failures, does what the model does`, async () => {
    await fc.assert(
      fc.asyncProperty(scenarios(failures), choices, async (scenario, choose) => {
        const { outcome } = await playScenario(runStagedCalls, scenario, choose())
        expect(outcome).toMatch(failures ? /^(resolved|rejected) / : /^resolved /)
      }),
      { numRuns: 1000 },
    )
  })
}
