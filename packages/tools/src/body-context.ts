import { type JsonValue } from '@agent-spine/schema'
import { type Batch } from './batch.js'
import { contained } from './contained.js'
import { readContextMessage } from './context-message.js'
import { type Execution } from './execution.js'
import { type SignalSource } from './link-signals.js'
import { SubCalls } from './sub-calls.js'
import { type ToolContext } from './tool.js'

/** What a body is run with. */
export interface BodyOptions {
  readonly stop: SignalSource
  /** Told when a stage or the log fails under a sub-call. */
  readonly onFailure: (error: unknown) => void
}

/** The context of one run of a body. */
export interface OpenBody {
  readonly context: ToolContext
  /** Cancels the sub-calls that still run, and waits for them; answers nothing where none runs. */
  end(): Promise<unknown> | undefined
}

/** Connects a body with its batch. */
export function openBody(batch: Batch, execution: Execution, { stop, onFailure }: BodyOptions): OpenBody {
  const { callId } = execution.call
  let subCalls: SubCalls | undefined
  let ended = false

  const context: BodyContext = new BodyContext(stop, {
    callId,
    progress: update => {
      if (!ended) contained(() => batch.options.progress?.(callId, update))
    },
    deferContext: (message: unknown) => {
      const read = readContextMessage(message)
      if (read === undefined) return
      if (execution.committed) batch.options.context?.(callId, read)
      else execution.contexts.push(read)
    },
    concludeTurn: () => {
      execution.concludesTurn = true
    },
    callTools: requests => {
      subCalls ??= new SubCalls(batch, { execution, context, onFailure })
      if (ended) void subCalls.end()
      return subCalls.call(requests)
    },
  })

  return {
    context,
    end: () => {
      ended = true
      return subCalls?.end()
    },
  }
}

/**
 * A context whose signal is made when a body asks for it. The signal is a property of its own, so that a copy has it
 * too; and all contexts share its getter, because every other way to an accessor costs a hidden class for each call.
 */
class BodyContext implements ToolContext {
  declare readonly signal: AbortSignal
  readonly callId: string
  readonly progress: (update: JsonValue) => void
  readonly deferContext: ToolContext['deferContext']
  readonly concludeTurn: () => void
  readonly callTools: ToolContext['callTools']
  readonly #stop: SignalSource

  static readonly #signal = {
    get(this: BodyContext): AbortSignal {
      return this.#stop.signal
    },
    enumerable: true,
  }

  constructor(stop: SignalSource, rest: Omit<ToolContext, 'signal'>) {
    this.#stop = stop
    Object.defineProperty(this, 'signal', BodyContext.#signal)
    this.callId = rest.callId
    this.progress = rest.progress
    this.deferContext = rest.deferContext
    this.concludeTurn = rest.concludeTurn
    this.callTools = rest.callTools
  }
}
