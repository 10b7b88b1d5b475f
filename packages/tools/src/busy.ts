import { type ExecutionMode } from '@agent-spine/scheduler'

/** A body that was left running: its call is answered, its work is not over. */
export interface LeftBody {
  readonly mode: ExecutionMode
  readonly toolName: string
  readonly callId: string
}

/**
 * Keeps calls from racing bodies that were left running. A parallel body blocks its key and every exclusive call; an
 * exclusive one blocks every call.
 */
export class BusyBodies {
  readonly #left = new Set<LeftBody>()

  /** Blocks until the returned function is called. */
  hold(body: LeftBody): () => void {
    this.#left.add(body)
    return () => this.#left.delete(body)
  }

  /** The body that a call of this mode would race, if there is one. */
  blocker(mode: ExecutionMode): LeftBody | undefined {
    for (const body of this.#left) if (conflicts(body.mode, mode)) return body
    return undefined
  }
}

function conflicts(left: ExecutionMode, mode: ExecutionMode): boolean {
  if (left.kind === 'exclusive' || mode.kind === 'exclusive') return true
  return left.key !== undefined && left.key === mode.key
}
