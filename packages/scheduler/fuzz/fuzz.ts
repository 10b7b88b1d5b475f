/** Plays random scenarios on the scheduler and on the reference model for a while: `pnpm fuzz --seconds 60`. */
import fc from 'fast-check'
import { parseArgs } from 'node:util'
import { runStagedCalls } from '../src/run-staged-calls.js'
import { playScenario } from '../src/testing/play.js'
import { choices, scenarios } from './scenarios.js'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } })
const endMs = Date.now() + Number(values.seconds) * 1000
let played = 0

process.on('unhandledRejection', reason => {
  throw new Error('a rejection was left unhandled (S10)', { cause: reason })
})

do {
  for (const failures of [false, true]) {
    await fc.assert(
      fc.asyncProperty(scenarios(failures), choices, async (scenario, choose) => {
        await playScenario(runStagedCalls, scenario, choose())
        played += 1
      }),
      { numRuns: 500 },
    )
  }
} while (Date.now() < endMs)
console.log(`${String(played)} scenarios, each as the model has it`)
