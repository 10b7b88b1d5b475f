// Wires every package into one agent on one session, and tells a reporter all that happens to it.
import { createAgent, type Agent, type AgentHooks } from '@agent-spine/agent-loop'
import { guardModel, guardSession, type GuardMode } from '@agent-spine/invariant'
import { type SessionEvent } from '@agent-spine/session'
import { createToolRuntime, type Approver, type ToolHooks } from '@agent-spine/tools'
import { type CommandEnvironment } from './command-environment.js'
import { describeError } from './describe-error.js'
import { withoutModelKeys } from './model/model-key.js'
import { isWarningModel } from './model/warning-model.js'
import { type Reporter } from './output/reporter.js'
import { runEvent } from './output/run-event.js'
import { type OpenRun } from './start-session.js'
import { askFirst, codingTools } from './tools/coding-tools.js'
import { createProcessGroups } from './tools/process-groups.js'
import { testRunsInLog } from './tools/test-runs-in-log.js'

/** What an agent works on, and who watches it. */
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

/** An agent on an open session. */
export interface CodingAgent {
  readonly agent: Agent
  /** Waits until what was said so far is durable, and tells the reporter of it and of all that follows. */
  announce(): Promise<void>
  /** Cancels what runs, and closes the session once the log is. */
  close(): Promise<void>
  /** Ends every process that a tool started, at once. */
  killAll(): void
}

export function createCodingAgent(run: AgentRun, approve: Approver): CodingAgent {
  const { environment, reporter, session, settings, options } = run
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
      approve,
    }),
    system: `You are a coding agent. You work in ${settings.workspace}.`,
    maxParallelToolCalls: options.maxParallel,
    retry: { maxRetries },
    hooks: reportRetries(reporter),
  })
  reportErrors(agent, reporter)
  if (isWarningModel(run.model)) {
    run.model.onWarning(warning => reporter.show({ type: 'warning', ...warning }))
  }
  return {
    agent,
    async announce() {
      // Only once the prompt is durable: whoever knows the id can resume it.
      await session.flush()
      announce(run)
    },
    async close() {
      await agent.dispose()
      groups.killAll()
      await session.close()
    },
    killAll: () => groups.killAll(),
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
