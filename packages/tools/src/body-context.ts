import { type JsonValue } from '@agent-spine/schema'
import { type Batch } from './batch.js'
import { contained } from './contained.js'
import { readContextMessage } from './context-message.js'
import { type Execution } from './execution.js'
import { SubCalls } from './sub-calls.js'
import { type ToolContext } from './tool.js'

/** What a body is run with. */
export interface BodyOptions {
  readonly signal: AbortSignal
  /** Told when a stage or the log fails under a sub-call. */
  readonly onFailure: (error: unknown) => void
}

/** The context of one run of a body. */
export interface OpenBody {
  readonly context: ToolContext
  /** Cancels the sub-calls that still run, and waits for them. */
  end(): Promise<void>
}

/** Connects a body with its batch. */
export function openBody(batch: Batch, execution: Execution, { signal, onFailure }: BodyOptions): OpenBody {
  const { callId } = execution.call
  let ended = false

  function progress(update: JsonValue): void {
    if (!ended) contained(() => batch.options.progress?.(callId, update))
  }

  const own = {
    signal,
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

  return {
    context: { ...own, callTools: requests => subCalls.call(requests) },
    end: () => {
      ended = true
      return subCalls.end()
    },
  }
}
