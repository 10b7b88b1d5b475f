import { TOOL_ABORTED_BEFORE_DISPATCH } from '@agent-spine/model'
import { type JsonObject } from '@agent-spine/schema'
import {
  type BindOptions,
  type BoundTools,
  type ContextMessage,
  type ToolCall,
  type ToolRuntime,
  unrunOutcome,
} from '@agent-spine/tools'
import { type CallGate } from './call-gate.js'
import { toCallResult } from './outcome-result.js'
import { progressNotes } from './progress-notes.js'

/** How the runtime runs the calls of a client: limits, and the seams to a log. */
export type ServedCallOptions = Omit<BindOptions, 'progress' | 'context' | 'concludeTurn'>

/** What the calls of one client share. */
export interface CallServer {
  readonly runtime: ToolRuntime
  /** Tells how a call may overlap. */
  readonly stages: Pick<BoundTools, 'mode'>
  readonly gate: CallGate
  readonly options: ServedCallOptions
}

/** A call as it came in. */
export interface IncomingCall {
  readonly call: ToolCall
  readonly signal: AbortSignal
  /** Where the client wants to hear of progress. */
  readonly progress?: {
    readonly token: string | number
    readonly send: (params: JsonObject) => void
  }
}

/** Takes one call through the gate and the runtime, and answers its result. */
export async function runServedCall(
  { runtime, stages, gate, options }: CallServer,
  { call, signal, progress }: IncomingCall,
): Promise<JsonObject> {
  const contexts: ContextMessage[] = []
  const note = progress && progressNotes(progress.token)
  const outcome = await gate.run(stages.mode(call), signal, () =>
    runtime.execute(call, {
      ...options,
      signal,
      context: (_, message) => contexts.push(message),
      ...(progress &&
        note && {
          progress: (_, update) => {
            const params = note(update)
            if (params) progress.send(params)
          },
        }),
    }),
  )
  return toCallResult({
    outcome: outcome ?? unrunOutcome(TOOL_ABORTED_BEFORE_DISPATCH),
    tool: runtime.get(call.name),
    contexts,
  })
}
