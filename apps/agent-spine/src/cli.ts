import { outputFailed } from './command-error.js'
import { describeError, errorText } from './describe-error.js'
import { onePress } from './one-press.js'
import { createOutput } from './output/output.js'
import { paintFor } from './output/paint.js'
import { main } from './main.js'

const stdout = createOutput(process.stdout)
const stderr = createOutput(process.stderr)

const talk = paintFor(stderr, process.env)

const code = await main(process.argv.slice(2), {
  cwd: process.cwd(),
  variables: process.env,
  stdin: process.stdin,
  stdout,
  stderr,
  paint: { out: paintFor(stdout, process.env), talk },
  canAsk: process.stdin.isTTY && process.stderr.isTTY,
  onInterrupt(listener) {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
    const pressed = onePress(listener)
    for (const signal of signals) process.on(signal, pressed)
    return () => signals.forEach(signal => process.off(signal, pressed))
  },
  interrupt: () => process.kill(process.pid, 'SIGINT'),
  exit: exitCode => process.exit(exitCode),
})
await stdout.drained()
if (stdout.failure !== undefined) stderr.write(errorText(describeError(outputFailed(stdout.failure)), talk))
await stderr.drained()
process.exit(stdout.failure === undefined ? code : 1)
