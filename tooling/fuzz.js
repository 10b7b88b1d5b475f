/**
 * `fuzz.js NAME [--seconds N]`: runs the `fuzz` script of packages/NAME for N seconds (default 30). A package joins by
 * having such a script; it is given `--seconds N`. `loop` is short for `agent-loop`.
 */
import { parseArgs } from 'node:util'
import { run } from './run.js'
import { publishedPackages } from './workspace.js'

// The fuzzer decides what an interrupt means; this process only waits for it.
process.on('SIGINT', () => undefined)

const shortNames = { 'agent-loop': 'loop' }
const packages = publishedPackages().filter(({ manifest }) => manifest.scripts?.fuzz !== undefined)
const names = packages.map(({ folder }) => shortNames[folder] ?? folder).join(', ')
const usage = 'usage: pnpm fuzz NAME [--seconds N]'

const request = readRequest()
if (typeof request === 'string') {
  console.error(`${request}\n${usage}`)
  process.exitCode = 2
} else {
  const command = ['pnpm', '--silent', 'run', 'fuzz', '--seconds', request.seconds]
  process.exitCode = (await run(command, { cwd: request.directory, stdio: 'inherit' })).code
}

/** Which package to fuzz for how long, or what is wrong with the command line. */
function readRequest() {
  const options = { seconds: { type: 'string', default: '30' } }
  let parsed
  try {
    parsed = parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return error.message
  }
  const { values, positionals } = parsed
  const target = packages.find(({ folder }) => [folder, shortNames[folder]].includes(positionals[0]))
  if (target === undefined || positionals.length !== 1) {
    const found = positionals.length === 0 ? 'none' : `"${positionals.join(' ')}"`
    return `expected one package that has a fuzz script (${names}), found ${found}`
  }
  if (!(Number(values.seconds) > 0 && Number(values.seconds) < Infinity)) {
    return `expected --seconds to be a positive number, found "${values.seconds}"`
  }
  return { directory: target.directory, seconds: values.seconds }
}
