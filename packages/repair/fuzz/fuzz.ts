/**
 * Repairs every prefix of one random log after the other, for a while: `pnpm fuzz repair --seconds 120`. At least as many
 * logs as `--logs` says, however long they take. `--seed N` repairs the one log of that seed again.
 */
import { parseArgs } from 'node:util'
import { brokenLaw } from './broken-law.js'
import { randomLog } from '../src/random-log.js'
import type { SessionEvent } from '@agent-spine/session'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    logs: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
})
const first = values.seed === undefined ? Date.now() >>> 0 : Number(values.seed)
const least = values.seed === undefined ? Number(values.logs) : 1
const endMs = values.seed === undefined ? Date.now() + Number(values.seconds) * 1000 : 0
const seenTypes = new Set<string>()
let logs = 0
let prefixes = 0

while (process.exitCode === undefined && (logs < least || Date.now() < endMs)) {
  const seed = (first + logs++) >>> 0
  const events = randomLog(chooser(seed))
  for (const { type } of events) seenTypes.add(type)
  for (let length = 0; length <= events.length; length++, prefixes++) tryPrefix(seed, events.slice(0, length))
}
console.log(
  `${logs} logs, ${prefixes} prefixes, ${seenTypes.size} event types, seeds ${first} to ${first + logs - 1}`,
)

function tryPrefix(seed: number, prefix: readonly SessionEvent[]): void {
  const broken = brokenLaw(prefix)
  if (broken === undefined) return
  console.error(`cut after ${prefix.length} events: ${broken}`)
  console.error(`replay: pnpm --filter @agent-spine/repair fuzz --seed ${seed}`)
  process.exitCode = 1
}

/** mulberry32, as whole numbers below a count. */
function chooser(seed: number): (count: number) => number {
  let state = seed >>> 0
  return count => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * count)
  }
}
