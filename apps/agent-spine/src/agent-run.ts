// Drives one prompt through an agent, and leaves everything closed.
import { type TurnOutcome } from '@agent-spine/agent-loop'
import { type LlmFailure } from '@agent-spine/model'
import { approver, askOnTerminal } from './approve.js'
import { createCodingAgent, type AgentRun, type CodingAgent } from './coding-agent.js'
import { type CommandEnvironment } from './command-environment.js'
import { modelFailureHint } from './model/model-failure-hint.js'
import { type RunSummary } from './output/run-event.js'
import { type RunSettings } from './run-settings.js'
import { type SessionTarget } from './session-home.js'

/** Drives `prompt` through the agent. Resolves for every ending of the turn, with the session closed. */
export async function runAgent(run: AgentRun, prompt: string): Promise<RunSummary> {
  const { environment, reporter, settings, target, options } = run
  const ask = environment.canAsk ? askOnTerminal(environment, reporter) : undefined
  const coder = createCodingAgent(run, approver(ask, { allowAll: options.allowBash }))
  const stopListening = cancelOnInterrupt(environment, coder)
  try {
    const turn = coder.agent.prompt(prompt)
    // It is awaited below; until then, its failure is nobody's unhandled rejection.
    turn.catch(() => undefined)
    await coder.announce()
    const outcome = await turn
    await coder.close()
    return runSummary(target, settings, outcome)
  } finally {
    stopListening()
    await coder.agent.dispose()
    coder.killAll()
  }
}

/** The first interrupt cancels the turn and lets the log close; the second ends the process. Calls back at the first. */
export function cancelOnInterrupt(
  environment: CommandEnvironment,
  coder: CodingAgent,
  onCancel?: () => void,
): () => void {
  const cancel = () => {
    onCancel?.()
    coder.agent.cancel({ kind: 'user' }, { keepInbox: true })
  }
  let interrupts = 0
  const stop = environment.onInterrupt(() => {
    interrupts += 1
    if (interrupts === 1) {
      environment.stderr.write('\ninterrupted: closing the session; once more ends it at once\n')
      cancel()
      return
    }
    coder.killAll()
    environment.exit(130)
  })
  environment.stdout.closed.addEventListener('abort', cancel, { once: true })
  return () => {
    stop()
    environment.stdout.closed.removeEventListener('abort', cancel)
  }
}

/** How a turn ended, as the last line of a run tells it. */
export function runSummary(
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
