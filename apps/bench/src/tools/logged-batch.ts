import { runStagedCalls } from '@agent-spine/scheduler'
import { createSession, type Session } from '@agent-spine/session'
import { toolResultMessage, type ToolCall, type ToolRuntime } from '@agent-spine/tools'

const scope = { turn: 0, step: 0 }

/** A session in memory whose model has just asked for these calls. */
export async function sessionAsking(calls: readonly ToolCall[]): Promise<Session> {
  const session = await createSession()
  session.append('turn/start', { turn: 0, dispatchMarked: true })
  session.append('step/start', scope)
  session.append('assistant/message', {
    ...scope,
    message: {
      id: 'a0',
      role: 'assistant',
      source: { kind: 'model', provider: 'bench', model: 'bench' },
      content: calls.map(({ callId, name, arguments: raw }) => ({
        type: 'tool-call',
        id: callId,
        name,
        arguments: raw,
      })),
    },
  })
  return session
}

/**
 * Runs calls and writes down what the agent loop writes down: `tool/call`, `tool/dispatch`, `tool/result`. Every object
 * is spelt out: V8 takes a microsecond and more to add a field to what was just spread.
 */
export async function runLogged(
  runtime: ToolRuntime,
  calls: readonly ToolCall[],
  session: Session,
): Promise<void> {
  const callSeqs = new Map<string, number>()
  const stages = runtime.bind({
    async beforeBody(callId) {
      session.append('tool/dispatch', { callId })
      await session.flush()
    },
  })
  const journal = {
    started({ callId, name, arguments: raw }: ToolCall) {
      const { seq } = session.append('tool/call', { turn: 0, step: 0, callId, name, arguments: raw })
      callSeqs.set(callId, seq)
    },
    committed({ callId }: ToolCall, outcome: Parameters<typeof toolResultMessage>[1]) {
      session.append(
        'tool/result',
        { turn: 0, step: 0, message: toolResultMessage(callId, outcome) },
        { surfaceOp: 'append', sourceEventSeqs: [callSeqs.get(callId) ?? 0] },
      )
    },
    skipped: () => undefined,
  }
  await runStagedCalls(calls, stages, journal, { maxParallel: 10 })
}
