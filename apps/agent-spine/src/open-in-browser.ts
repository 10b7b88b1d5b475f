import { spawn } from 'node:child_process'
import { CommandError } from './command-error.js'

/** Most openers answer at once; one that becomes the browser itself does not. */
const longestWaitMs = 3000

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Shows a file or an address in the browser of the person at the terminal. @throws CommandError `OPEN_FAILED` */
export async function openInBrowser(target: string, variables: NodeJS.ProcessEnv): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, target], { stdio: 'ignore', detached: true, env: variables })
  const problem = await new Promise<string | undefined>(resolve => {
    const timer = setTimeout(() => resolve(undefined), longestWaitMs)
    const settle = (found: string | undefined) => {
      clearTimeout(timer)
      resolve(found)
    }
    child.on('error', error => settle(error.message))
    child.on('exit', code => settle(code === 0 ? undefined : `${program} ended with ${code ?? 'a signal'}`))
  })
  child.unref()
  if (problem === undefined) return
  throw new CommandError('OPEN_FAILED', `expected to open a browser, found: ${problem}`, {
    hint: `open it yourself: ${target}`,
  })
}
