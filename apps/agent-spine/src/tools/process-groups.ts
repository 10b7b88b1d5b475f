// Runs commands as child processes in process groups of their own, so that a whole tree can be ended at once.
//
//   P1  An abort ends the group: SIGTERM, and SIGKILL after the grace. The promise settles only when the command is gone
//       and its output is closed.
//   P2  What the command leaves running in its group when it exits is ended too; nothing outlives its call.
//   P3  `killAll` is synchronous: a process that is about to exit takes its children along.
import { spawn } from 'node:child_process'
import { HarnessError } from '@agent-spine/schema'
import { createOutputTail } from './output-tail.js'

/** What to run. No shell is involved. */
export interface CommandLine {
  readonly program: string
  readonly args: readonly string[]
  readonly directory: string
}

/** What a command came to. */
export interface CommandOutcome {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null
  readonly endedBy?: string
  /** Both streams, as they came; the last part of it. */
  readonly output: string
  readonly durationMs: number
}

/** The process groups of one run of ours. */
export interface ProcessGroups {
  /** Rejects with the signal's reason after an abort, and with `COMMAND_NOT_STARTED` when there is no such program. */
  run(command: CommandLine, signal: AbortSignal): Promise<CommandOutcome>
  killAll(): void
}

export interface ProcessGroupOptions {
  readonly environment: NodeJS.ProcessEnv
  /** Between SIGTERM and SIGKILL. Default 2 000. */
  readonly graceMs?: number
  /** How much output is kept. Default 256 KiB. */
  readonly outputBytes?: number
}

const leftoversMs = 500

export function createProcessGroups({
  environment,
  graceMs = 2_000,
  outputBytes = 262_144,
}: ProcessGroupOptions): ProcessGroups {
  const leaders = new Set<number>()

  async function run(command: CommandLine, signal: AbortSignal): Promise<CommandOutcome> {
    signal.throwIfAborted()
    const startedAt = performance.now()
    const child = spawn(command.program, command.args, {
      cwd: command.directory,
      env: childEnvironment(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const { pid } = child
    if (pid !== undefined) leaders.add(pid)
    const tail = createOutputTail(outputBytes)
    child.stdout.on('data', (chunk: Buffer) => tail.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => tail.push(chunk))

    let killTimer: NodeJS.Timeout | undefined
    const killAfter = (delayMs: number) =>
      (killTimer ??= setTimeout(() => killGroup(pid, 'SIGKILL'), delayMs))
    const abort = () => {
      killGroup(pid, 'SIGTERM')
      killAfter(graceMs)
    }
    signal.addEventListener('abort', abort, { once: true })
    child.once('exit', () => {
      killGroup(pid, 'SIGTERM')
      killAfter(leftoversMs)
    })

    return await new Promise<CommandOutcome>((resolve, reject) => {
      child.once('error', error => reject(notStarted(command, error)))
      child.once('close', (exitCode, endedBy) => {
        if (signal.aborted) reject(signal.reason as Error)
        else resolve(outcomeOf({ exitCode, endedBy }, tail.text(), performance.now() - startedAt))
      })
    }).finally(() => {
      clearTimeout(killTimer)
      signal.removeEventListener('abort', abort)
      killGroup(pid, 'SIGKILL')
      if (pid !== undefined) leaders.delete(pid)
    })
  }

  return { run, killAll: () => leaders.forEach(pid => killGroup(pid, 'SIGKILL')) }
}

function outcomeOf(
  end: { readonly exitCode: number | null; readonly endedBy: string | null },
  output: string,
  durationMs: number,
): CommandOutcome {
  return {
    exitCode: end.exitCode,
    ...(end.endedBy !== null && { endedBy: end.endedBy }),
    output,
    durationMs: Math.round(durationMs),
  }
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is gone already.
  }
}

function notStarted({ program, directory }: CommandLine, cause: Error): HarnessError {
  return new HarnessError(
    'COMMAND_NOT_STARTED',
    `expected to start ${program} in ${directory}, found: ${cause.message}. Install it, or put it on the PATH`,
    { cause },
  )
}

/** A test runner that finds itself inside another one, or a terminal, reports differently. */
function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _context, FORCE_COLOR: _color, ...rest } = environment
  return { ...rest, NO_COLOR: '1', npm_config_update_notifier: 'false' }
}
