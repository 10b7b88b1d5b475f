import { Worker } from 'node:worker_threads'

/** Runs beside the fuzzer, whose own timers cannot fire while a check hangs. */
const script = `
const { workerData } = require('node:worker_threads')
const { writeSync } = require('node:fs')
const seed = new Uint32Array(workerData.seed)
for (;;) {
  const before = Atomics.load(seed, 0)
  Atomics.wait(new Int32Array(workerData.seed), 1, 0, workerData.limitMs)
  if (Atomics.load(seed, 0) !== before) continue
  writeSync(2, 'seed ' + before + ' is not done after ' + workerData.limitMs + ' ms\\n')
  process.kill(process.pid, 'SIGKILL')
}
`

/** Ends the process, naming the seed, when one seed takes longer than `limitMs`. Tell it of every seed. */
export function startWatchdog(limitMs: number): (seed: number) => void {
  const seed = new SharedArrayBuffer(8)
  const view = new Uint32Array(seed)
  new Worker(script, { eval: true, workerData: { seed, limitMs } }).unref()
  return current => void Atomics.store(view, 0, current)
}
