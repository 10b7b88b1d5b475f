import { availableParallelism } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineCommand, runMain } from 'citty'
import { runCampaign } from './campaign.js'

/** A whole number of at least `least`; ends the process with a message for anything else. */
function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  console.error(`--${name} must be a whole number of at least ${least} (found ${text})`)
  process.exit(2)
}

const crash = defineCommand({
  meta: {
    name: 'crash',
    description:
      'Kills processes that run real sessions, with SIGKILL at random moments, and checks what each of them leaves. ' +
      'Prints a JSON summary; exits 1 if anything was lost, doubled or invented.',
  },
  args: {
    kills: { type: 'string', description: 'How many processes to kill', default: '200' },
    seed: { type: 'string', description: 'Draws what happens and about when. Default: by the clock' },
    jobs: {
      type: 'string',
      description: 'How many sessions at once',
      default: String(availableParallelism()),
    },
    plant: { type: 'string', description: 'Plant a fault, to see it found: lying-flush' },
  },
  run: async ({ args }) => {
    if (args.plant !== undefined && args.plant !== 'lying-flush') {
      console.error(`--plant must be lying-flush (found ${args.plant})`)
      process.exit(2)
    }
    const summary = await runCampaign({
      kills: wholeNumber('kills', args.kills, 1),
      seed: wholeNumber('seed', args.seed ?? String(Date.now() % 1_000_000), 0),
      jobs: wholeNumber('jobs', args.jobs, 1),
      victim: fileURLToPath(new URL('victim.js', import.meta.url)),
      ...(args.plant && { plant: args.plant }),
    })
    console.log(JSON.stringify(summary, null, 2))
    process.exitCode = summary.ok ? 0 : 1
  },
})

await runMain(crash)
