// The process that dies. It says on stdout when it is where it dies, and then waits for what its parent does.
import { createAgent } from '@agent-spine/agent-loop'
import { guardModel, guardSession } from '@agent-spine/invariant'
import { createSession } from '@agent-spine/session'
import { type CommandEnvironment } from '../command-environment.js'
import { type ExitCode } from '../command-error.js'
import { jsonLine } from '../output/output.js'
import { makeSessionPlace } from '../session-home.js'
import { type DeathName } from './deaths.js'
import {
  firstPrompt,
  secondPrompt,
  stagedModel,
  stagedTools,
  untilAborted,
  withFailingStage,
} from './staged-agent.js'

/** What the process that dies says, once: up to this event, the log was written before its death. */
export interface DeathReady {
  readonly type: 'ready'
  readonly seq: number
}

const exitCodes: Readonly<Record<string, ExitCode>> = { completed: 0, aborted: 130 }

/** Brings a session to where `death` strikes. Resolves where the process outlives that. */
export async function stageDeath(
  death: DeathName,
  id: string,
  environment: CommandEnvironment,
): Promise<ExitCode> {
  const { store } = await makeSessionPlace(environment)
  const session = await createSession({ id, store })
  guardSession(session)
  const ready: () => void = () =>
    environment.stdout.write(jsonLine({ type: 'ready', seq: session.events.length } satisfies DeathReady))

  let running = 0
  let open: () => void = () => undefined
  const bothRun = new Promise<void>(resolve => {
    open = resolve
  })
  const tools = stagedTools(signal => {
    running += 1
    if (running === 2) {
      ready()
      open()
    }
    return death === 'stage-fails' ? bothRun : untilAborted(signal)
  })
  const model = stagedModel(signal => {
    if (death !== 'cancel-streaming') return Promise.resolve()
    ready()
    return untilAborted(signal)
  })
  const agent = createAgent({
    session,
    model: guardModel(model, session, { mode: 'full' }),
    tools: death === 'stage-fails' ? withFailingStage(tools) : tools,
  })
  const stopListening = environment.onInterrupt(() => {
    agent.cancel({ kind: 'user' })
    if (death === 'input-after-cancel') agent.steer(secondPrompt)
  })
  // What waits for its death waits for nothing that would keep the process alive.
  const alive = setInterval(() => undefined, 60_000)
  const { reason } = await agent.prompt(firstPrompt)
  await agent.whenIdle()
  await agent.dispose()
  await session.close()
  stopListening()
  clearInterval(alive)
  return exitCodes[reason.kind] ?? 1
}
