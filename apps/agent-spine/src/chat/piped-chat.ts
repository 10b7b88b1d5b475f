// A chat without a person: every line of stdin is one prompt, in order; the first turn that does not complete ends it.
import { createInterface } from 'node:readline'
import { cancelOnInterrupt, runSummary } from '../agent-run.js'
import { approver } from '../approve.js'
import { createCodingAgent, type AgentRunOptions } from '../coding-agent.js'
import { type CommandEnvironment } from '../command-environment.js'
import { usageError, type ExitCode } from '../command-error.js'
import { failedSummary } from '../drive-run.js'
import { withoutControls } from '../output/call-text.js'
import { jsonLine } from '../output/output.js'
import { type Reporter } from '../output/reporter.js'
import { type RunSummary } from '../output/run-event.js'
import { selectReporter } from '../select-reporter.js'
import { type OpenRun } from '../start-session.js'

export interface PipedChatOptions extends AgentRunOptions {
  readonly json: boolean
}

/** Sends line after line. A session is opened only once there is one. */
export async function chatFromLines(
  environment: CommandEnvironment,
  open: () => Promise<OpenRun>,
  options: PipedChatOptions,
): Promise<ExitCode> {
  const { stdin, stdout } = environment
  const reporter = selectReporter(environment, options.json)
  const lines = createInterface({ input: stdin, terminal: false, crlfDelay: Infinity })
  // At once: lines that come before somebody iterates are lost.
  const prompts = spoken(lines[Symbol.asyncIterator]())
  let run: OpenRun | undefined
  try {
    const first = await prompts.next()
    if (first.done) {
      throw usageError(
        'expected a prompt on each line of stdin, found none',
        "for example: printf 'list files\\nread README.md\\n' | agent-spine chat; in a terminal, chat asks for them",
      )
    }
    run = await open()
    const chat = { ...run, environment, reporter, options, stopReading: () => lines.close() }
    const summary = await converse(chat, first.value, prompts)
    reporter.end()
    if (options.json) stdout.write(jsonLine(summary))
    return summary.exitCode
  } catch (error) {
    reporter.end()
    if (options.json) stdout.write(jsonLine(failedSummary(error, run)))
    throw error
  } finally {
    lines.close()
    await run?.session.close().catch(() => undefined)
  }
}

interface PipedChat extends OpenRun {
  readonly environment: CommandEnvironment
  readonly reporter: Reporter
  readonly options: PipedChatOptions
  readonly stopReading: () => void
}

/** Sends the first prompt and those that follow. Answers how the last turn ended. */
async function converse(
  { stopReading, ...run }: PipedChat,
  first: string,
  more: AsyncIterator<string, undefined>,
): Promise<RunSummary> {
  const { environment, target, settings, options } = run
  const { stderr, paint } = environment
  const coder = createCodingAgent(run, approver(undefined, { allowAll: options.allowBash }))
  const interrupted = new AbortController()
  const stopListening = cancelOnInterrupt(environment, coder, () => {
    interrupted.abort()
    stopReading()
  })
  try {
    await coder.announce()
    for (let prompt = first; ;) {
      if (!options.json) stderr.write(`${paint.talk('bold', '›')} ${withoutControls(prompt)}\n`)
      const summary = runSummary(target, settings, await coder.agent.prompt(prompt))
      if (!options.json) tell(environment, summary)
      const next = summary.ok ? await more.next() : undefined
      if (next === undefined || next.done || interrupted.signal.aborted) {
        await coder.close()
        if (!options.json) stderr.write(`go on with: agent-spine chat --session ${target.id}\n`)
        return interrupted.signal.aborted ? { ...summary, ok: false, exitCode: 130 } : summary
      }
      prompt = next.value
    }
  } finally {
    stopListening()
    await coder.agent.dispose()
    coder.killAll()
  }
}

/** The answer is data, that there is none is talk. */
function tell({ stdout, stderr }: CommandEnvironment, { ok, reason, text = '' }: RunSummary): void {
  if (ok) stdout.write(`${stdout.isTerminal ? withoutControls(text) : text}\n`)
  else stderr.write(`the turn ended: ${reason ?? 'error'}; nothing more is sent\n`)
}

/** The lines that say something. */
async function* spoken(lines: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  for await (const line of lines) {
    if (line.trim() !== '') yield line.trim()
  }
}
