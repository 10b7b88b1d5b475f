import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { root } from './workspace.js'

const environment = {
  ...process.env,
  PATH: join(root, 'node_modules', '.bin') + delimiter + process.env.PATH,
}

/** Runs a command to its end. Resolves with its exit code and, unless it inherits the terminal, its output. */
export function run(command, { cwd = root, inherit = false } = {}) {
  const [program, ...args] = command
  return new Promise(resolve => {
    const child = spawn(program, args, {
      cwd,
      env: environment,
      stdio: inherit ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout?.on('data', data => (output += data))
    child.stderr?.on('data', data => (output += data))
    child.on('error', error => resolve({ code: 127, output: error.message }))
    child.on('close', code => resolve({ code: code ?? 1, output }))
  })
}
