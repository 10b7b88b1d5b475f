/**
 * `build-and-run.js PACKAGE COMMAND [ARGUMENT…]`: builds the JavaScript of a package and of all it needs, without types,
 * then runs the command. What the build says goes to stderr, so that stdout is the command's alone.
 */
import { run } from './run.js'

// The command decides what an interrupt means; this process only waits for it.
process.on('SIGINT', () => undefined)

const [target, ...command] = process.argv.slice(2)
const build = ['turbo', 'run', 'build:js', `--filter=${target}...`, '--output-logs=errors-only']
const built = await run(build, { stdio: ['ignore', 2, 2] })
process.exitCode = built.code === 0 ? (await run(command, { stdio: 'inherit' })).code : built.code
