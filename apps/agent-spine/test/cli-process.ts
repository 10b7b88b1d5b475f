import { spawn, type ChildProcess } from 'node:child_process'
import { type RunEvent } from '../src/output/run-event.js'

/** How a command ended. */
export interface CliEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that runs. */
export interface CliProcess {
  readonly child: ChildProcess
  readonly end: Promise<CliEnd>
  /** The first line of NDJSON on stdout that fits, also one that came before. Rejects if the command ends without it. */
  event<Type extends RunEvent['type']>(type: Type, count?: number): Promise<Extract<RunEvent, { type: Type }>>
  /** That moment, unless the command ends before it. */
  reaches<T>(moment: Promise<T>): Promise<T>
  /** Resolves once stderr holds the text. */
  talk(text: string): Promise<void>
}

export interface CliOptions {
  readonly cli: string
  readonly home: string
  readonly cwd?: string
  readonly variables?: NodeJS.ProcessEnv
}

/** Starts the real command in a process of its own. */
export function startCli(args: readonly string[], { cli, home, cwd, variables }: CliOptions): CliProcess {
  const child = spawn(process.execPath, [cli, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, AGENT_SPINE_HOME: home, NO_COLOR: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  let ended = false
  const watchers = new Set<() => void>()
  const changed = () => watchers.forEach(watcher => watcher())
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    changed()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    changed()
  })
  const end = new Promise<CliEnd>(resolve => {
    child.on('close', (code, signal) => {
      ended = true
      resolve({ code, signal, stdout, stderr })
      changed()
    })
  })

  function until<T>(what: string, look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const watcher = () => {
        const found = look()
        if (found === undefined && !ended) return
        watchers.delete(watcher)
        if (found === undefined) reject(new Error(`the command ended without ${what}\n${stdout}\n${stderr}`))
        else resolve(found)
      }
      watchers.add(watcher)
      watcher()
    })
  }

  return {
    child,
    end,
    event(type, count = 1) {
      return until(`${count} × ${type}`, () => {
        const found = jsonLines(stdout).filter(
          (event): event is Extract<RunEvent, { type: typeof type }> => event.type === type,
        )
        return found[count - 1]
      })
    },
    reaches: moment =>
      Promise.race([
        moment,
        end.then(() => {
          throw new Error(`the command ended too early\n${stdout}\n${stderr}`)
        }),
      ]),
    talk: text => until(text, () => (stderr.includes(text) ? true : undefined)).then(() => undefined),
  }
}

/** Runs the real command to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliEnd> {
  return startCli(args, options).end
}

/** The complete lines of NDJSON output. A line that is no JSON throws. */
export function jsonLines(text: string): readonly RunEvent[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as RunEvent)
}
