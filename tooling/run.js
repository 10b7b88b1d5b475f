import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { root } from './workspace.js'

const environment = {
  ...process.env,
  // Nothing here talks to anybody's servers but the package registry.
  TURBO_TELEMETRY_DISABLED: '1',
  PATH: join(root, 'node_modules', '.bin') + delimiter + process.env.PATH,
}

/** Runs a command to its end. Resolves with its exit code and what it wrote to the pipes that `stdio` asks for. */
export function run(command, { cwd = root, stdio = ['ignore', 'pipe', 'pipe'] } = {}) {
  const [program, ...args] = command
  return new Promise(resolve => {
    const child = spawn(program, args, { cwd, env: environment, stdio })
    let output = ''
    child.stdout?.on('data', data => (output += data))
    child.stderr?.on('data', data => (output += data))
    child.on('error', error => resolve({ code: 127, output: error.message }))
    child.on('close', code => resolve({ code: code ?? 1, output }))
  })
}
