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
  let ended = false

  function progress(update: JsonValue): void {
    if (!ended) contained(() => batch.options.progress?.(callId, update))
  }

  const own = {
    get signal() {
      return stop.signal
    },
    callId,
    progress,
    deferContext: (message: unknown) => {
      const context = readContextMessage(message)
      if (context === undefined) return
      if (execution.committed) batch.options.context?.(callId, context)
      else execution.contexts.push(context)
    },
    concludeTurn: () => {
      execution.concludesTurn = true
    },
  }
  const subCalls = new SubCalls(batch, { execution, context: own, onFailure })
  // Not a spread, which would ask for the signal.
  const context: ToolContext = Object.assign(own, { callTools: subCalls.call.bind(subCalls) })

  return {
    context,
    end: () => {
      ended = true
      return subCalls.end()
    },
  }
}
