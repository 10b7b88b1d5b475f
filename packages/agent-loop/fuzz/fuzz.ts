/**
 * Plays random turns on a clock of its own and holds every one to the one law, for a while: `pnpm fuzz loop --seconds 120`.
 * `--seed N` plays the one scenario of that seed again.
 */
import { parseArgs } from 'node:util'
import { installFakeClock } from './fake-clock.js'
import { play } from './play.js'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, seed: { type: 'string' } },
})
const first = values.seed === undefined ? Date.now() >>> 0 : Number(values.seed)
const endMs = values.seed === undefined ? Date.now() + Number(values.seconds) * 1000 : 0
const clock = installFakeClock()
const unhandled: unknown[] = []
process.on('unhandledRejection', reason => void unhandled.push(reason))

let seed = first
let events = 0
do {
  const { events: log, breaches } = await play(seed, clock)
  const all = [...breaches, ...unhandled.map(reason => `unhandled rejection: ${String(reason)}`)]
  events += log.length
  if (all.length > 0) {
    for (const { seq, type, data } of log) console.error(seq, type, JSON.stringify(data).slice(0, 200))
    console.error(all.join('\n'))
    console.error(`replay: pnpm --filter @agent-spine/agent-loop fuzz --seed ${seed}`)
    process.exitCode = 1
    break
  }
  seed = (seed + 1) >>> 0
} while (Date.now() < endMs)
console.log(`${seed - first} scenarios, ${events} events, seeds ${first} to ${seed - 1}`)
