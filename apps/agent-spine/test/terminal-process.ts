import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CliOptions } from './cli-process.js'
import { terminalScreen } from './terminal-screen.js'

/** A command that runs in a terminal of its own. */
export interface TerminalProcess {
  /** Presses keys. */
  press(keys: string): void
  /** Resolves with what is shown as soon as that contains the words; rejects if the command ends without. */
  sees(words: string | RegExp): Promise<string>
  /** Resolves as soon as it is not shown. */
  losesSightOf(words: string): Promise<void>
  readonly screen: () => string
  signal(name: NodeJS.Signals): Promise<void>
  readonly end: Promise<TerminalEnd>
}

export interface TerminalEnd {
  readonly code: number
  readonly screen: string
  /** The settings of the terminal, as `stty -a` prints them, before and after the command. */
  readonly modes: { readonly before: string; readonly after: string }
}

export interface TerminalOptions extends CliOptions {
  readonly columns?: number
  readonly rows?: number
  readonly nodeOptions?: string
}

export const keys = {
  enter: '\r',
  altEnter: '\u001b\r',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlU: '\u0015',
  backspace: '\u007f',
  up: '\u001b[A',
} as const

/** Debian has `script` always; some systems have none, or one with other flags. */
export const hasTerminals =
  spawnSync('script', ['-qfec', 'true', '/dev/null'], { input: '', timeout: 10_000 }).status === 0

/** Starts the real command in a real terminal, which is one of `script`. */
export async function startInTerminal(
  args: readonly string[],
  { cli, home, variables, columns = 80, rows = 24, nodeOptions = '' }: TerminalOptions,
): Promise<TerminalProcess> {
  const notes = await mkdtemp(join(tmpdir(), 'terminal-'))
  const words = [process.execPath, ...nodeOptions.split(' ').filter(Boolean), cli, ...args]
  const steps = [
    `stty cols ${columns} rows ${rows}`,
    `stty -a >${notes}/before`,
    `sh -c 'echo $$ >${notes}/pid; exec "$@"' sh ${words.map(quoted).join(' ')}`,
    `echo $? >${notes}/code`,
    `stty -a >${notes}/after`,
  ]
  const child = spawn('script', ['-qfec', steps.join('\n'), '/dev/null'], {
    env: { ...process.env, SHELL: '/bin/sh', TERM: 'xterm-256color', AGENT_SPINE_HOME: home, ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const screen = terminalScreen(columns)
  const note = async (name: string) => (await readFile(join(notes, name), 'utf8')).trim()
  const watchers = new Set<() => void>()
  const changed = () => watchers.forEach(watcher => watcher())
  let broken: unknown
  let ended = false
  child.stdin.on('error', () => undefined)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    try {
      screen.write(text)
    } catch (error) {
      broken ??= error
    }
    changed()
  })
  const end = new Promise<void>(resolve => {
    child.on('close', () => {
      ended = true
      resolve()
      changed()
    })
  }).then(async () => {
    if (broken !== undefined) throw broken as Error
    const modes = { before: await note('before'), after: await note('after') }
    return { code: Number(await note('code')), screen: screen.text(), modes }
  })
  end.catch(() => undefined)

  function until(what: string, look: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const watcher = () => {
        const isSo = look()
        if (!isSo && !ended && broken === undefined) return
        watchers.delete(watcher)
        if (isSo) resolve()
        else reject(new Error(`the terminal never showed ${what}\n${screen.text()}`, { cause: broken }))
      }
      watchers.add(watcher)
      watcher()
    })
  }

  return {
    press: text => child.stdin.write(text),
    async sees(expected) {
      const isShown = () =>
        typeof expected === 'string' ? screen.text().includes(expected) : expected.test(screen.text())
      await until(String(expected), isShown)
      return screen.text()
    },
    losesSightOf: gone => until(`that ${gone} is gone`, () => !screen.text().includes(gone)),
    screen: () => screen.text(),
    signal: async name => void process.kill(Number(await note('pid')), name),
    end,
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
