// Wires every package into one agent on one session, drives one prompt through it, and leaves everything closed.
import { createAgent, type Agent, type AgentHooks, type TurnOutcome } from '@agent-spine/agent-loop'
import { guardModel, guardSession, type GuardMode } from '@agent-spine/invariant'
import { type LlmFailure } from '@agent-spine/model'
import { type SessionEvent } from '@agent-spine/session'
import { createToolRuntime, type ToolHooks } from '@agent-spine/tools'
import { approver } from './approve.js'
import { type CommandEnvironment } from './command-environment.js'
import { describeError } from './describe-error.js'
import { modelFailureHint } from './model/model-failure-hint.js'
import { withoutModelKeys } from './model/model-key.js'
import { type Reporter } from './output/reporter.js'
import { runEvent, type RunSummary } from './output/run-event.js'
import { type RunSettings } from './run-settings.js'
import { type SessionTarget } from './session-home.js'
import { type OpenRun } from './start-session.js'
import { askFirst, codingTools } from './tools/coding-tools.js'
import { createProcessGroups } from './tools/process-groups.js'
import { testRunsInLog } from './tools/test-runs-in-log.js'

/** What one run works on. */
export interface AgentRun extends OpenRun {
  readonly environment: CommandEnvironment
  readonly reporter: Reporter
  readonly options: AgentRunOptions
}

export interface AgentRunOptions {
  readonly maxParallel: number
  readonly guard: GuardMode
  readonly allowBash: boolean
}

/** How often a model call that failed for a passing reason is tried again. */
const maxRetries = 3

/** Drives `prompt` through the agent. Resolves for every ending of the turn, with the session closed. */
export async function runAgent(run: AgentRun, prompt: string): Promise<RunSummary> {
  const { environment, reporter, session, settings, target, options } = run
  const groups = createProcessGroups({ environment: withoutModelKeys(environment.variables) })
  guardSession(session)
  const agent = createAgent({
    session,
    model: guardModel(run.model, session, { mode: options.guard }),
    tools: createToolRuntime({
      tools: codingTools({
        workspace: { root: settings.workspace },
        groups,
        testRuns: () => testRunsInLog(session.events),
      }),
      hooks: [askFirst, reportSettled(reporter)],
      approve: approver(environment, reporter, { allowAll: options.allowBash }),
    }),
    system: `You are a coding agent. You work in ${settings.workspace}.`,
    maxParallelToolCalls: options.maxParallel,
    retry: { maxRetries },
    hooks: reportRetries(reporter),
  })
  reportErrors(agent, reporter)
  const stopListening = listen(environment, agent, () => groups.killAll())
  try {
    const turn = agent.prompt(prompt)
    // It is awaited below; until then, its failure is nobody's unhandled rejection.
    turn.catch(() => undefined)
    // Announced only once the prompt is durable: whoever knows the id can resume it.
    await session.flush()
    announce(run)
    const outcome = await turn
    await agent.dispose()
    await session.close()
    return summary(target, settings, outcome)
  } finally {
    stopListening()
    await agent.dispose()
    groups.killAll()
  }
}

/** The first interrupt cancels the turn and lets the log close; the second ends the process. */
function listen(environment: CommandEnvironment, agent: Agent, killAll: () => void): () => void {
  const cancel = () => agent.cancel({ kind: 'user' }, { keepInbox: true })
  let interrupts = 0
  const stop = environment.onInterrupt(() => {
    interrupts += 1
    if (interrupts === 1) {
      environment.stderr.write('\ninterrupted: closing the session; once more ends it at once\n')
      cancel()
      return
    }
    killAll()
    environment.exit(130)
  })
  environment.stdout.closed.addEventListener('abort', cancel, { once: true })
  return () => {
    stop()
    environment.stdout.closed.removeEventListener('abort', cancel)
  }
}

/** Tells the reporter where the session is and what happened since it was opened, and from then on everything. */
function announce({ reporter, session, settings, target }: AgentRun): void {
  reporter.show({ type: 'session', id: session.id, file: target.file, ...settings })
  const owner = session.events.findLastIndex(({ type }) => type === 'session/owner')
  const events = session.events.slice(owner + 1)
  const closers = events.filter(({ closer }) => closer).length
  if (closers > 0) reporter.show({ type: 'repaired', events: closers })
  const show = (event: SessionEvent) => {
    const told = event.closer ? undefined : runEvent(event)
    if (told !== undefined) reporter.show(told)
  }
  events.forEach(show)
  session.subscribe(show)
}

function reportErrors(agent: Agent, reporter: Reporter): void {
  agent.on('error', ({ error }) => {
    const { exitCode: _exitCode, ...told } = describeError(error)
    reporter.show({ type: 'error', ...told })
  })
}

/** The log learns of a retry when it starts; a person wants to know why nothing happens until then. */
function reportRetries(reporter: Reporter): AgentHooks {
  return {
    async requestError({ failure: { code, message, status }, attempt }, next) {
      const decision = await next()
      if (decision.kind === 'retry') {
        const delayMs = Math.round(decision.delayMs ?? 0)
        const told = { code, message, ...(status !== undefined && { status }) }
        reporter.show({ type: 'retry', retry: attempt + 1, maxRetries, delayMs, ...told })
      }
      return decision
    },
  }
}

/** A body's end is not in the log before its turn to commit comes; a progress display wants to know at once. */
function reportSettled(reporter: Reporter): ToolHooks {
  return {
    async execute({ callId }, next) {
      try {
        return await next()
      } finally {
        reporter.show({ type: 'call-settled', callId, time: Date.now() })
      }
    },
  }
}

function summary(
  target: SessionTarget,
  { workspace }: RunSettings,
  { reason, text, calls }: TurnOutcome,
): RunSummary {
  const place = { session: target.id, file: target.file, workspace, reason: reason.kind, text }
  const told = calls.map(({ name, isError, error }) => ({
    name,
    ...(isError && { isError }),
    ...(error?.code !== undefined && { code: error.code }),
  }))
  switch (reason.kind) {
    case 'completed':
      return { type: 'summary', ok: true, exitCode: 0, ...place, calls: told }
    case 'aborted':
      return { type: 'summary', ok: false, exitCode: 130, ...place, calls: told }
    case 'error':
      return { type: 'summary', ok: false, exitCode: 1, ...place, calls: told, ...failed(reason.failure) }
    default:
      return { type: 'summary', ok: false, exitCode: 1, ...place, calls: told }
  }
}

function failed(failure: LlmFailure): Pick<RunSummary, 'code' | 'message' | 'hint'> {
  const hint = modelFailureHint(failure)
  return { code: failure.code, message: failure.message, ...(hint !== undefined && { hint }) }
}
