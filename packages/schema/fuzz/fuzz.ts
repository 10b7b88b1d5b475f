/** Looks for verdicts that differ from those of independent judges, for a while: `pnpm fuzz schema --seconds 120`. */
import { parseArgs } from 'node:util'
import { compareOnce } from './against-ajv.js'
import { hostileOnce } from './hostile.js'
import { hugeOnce } from './huge.js'
import { startWatchdog } from './watchdog.js'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, seed: { type: 'string' } },
})
const hugeEvery = 64
const first = values.seed === undefined ? Date.now() >>> 0 : Number(values.seed)
const endMs = values.seed === undefined ? Date.now() + Number(values.seconds) * 1000 : 0
const tellWatchdog = startWatchdog(120_000)
const judged = { compared: 0, hostile: 0, huge: 0 }

let seed = first
try {
  do {
    tellWatchdog(seed)
    judged.compared += compareOnce(seed, 100)
    judged.hostile += hostileOnce(seed, 50)
    if (seed % hugeEvery === 0) judged.huge += hugeOnce(seed, seed / hugeEvery)
    seed = (seed + 1) >>> 0
  } while (Date.now() < endMs)
  console.log(
    `${judged.compared} values compared with ajv, ${judged.hostile} hostile and ${judged.huge} huge values judged, seeds ${first} to ${seed - 1}`,
  )
} catch (error) {
  console.error(error)
  console.error(`replay: pnpm --filter @agent-spine/schema fuzz --seed ${seed}`)
  process.exitCode = 1
}
