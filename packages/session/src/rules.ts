import { CallLedger } from './call-ledger.js'
import type { SessionEvent } from './event.js'
import { isRefusal, refusalError } from './refusal.js'
import { nextScope, noScope, type OpenScope } from './step-scope.js'
import { isSurfaceEvent, placeOnSurface, type SurfaceEvent } from './surface.js'

/** Everything the log must know of its past to say whether an event may follow: O(1) an event, but for replacements. */
export class LogRules {
  readonly #ledger = new CallLedger()
  readonly #surface: SurfaceEvent[] = []
  #scope: OpenScope = noScope

  /** Whether a turn is open. */
  get turnOpen(): boolean {
    return this.#scope.turn !== undefined
  }

  /** Admits a batch, or throws `EventRefusedError` and admits none of it. Returns how to take the batch back. */
  admit(batch: readonly SessionEvent[]): () => void {
    const scope = this.#scope
    const undo: (() => void)[] = []
    const rollback = () => {
      this.#scope = scope
      while (undo.length > 0) undo.pop()?.()
    }
    try {
      for (const event of batch) this.#admitEvent(event, undo)
    } catch (error) {
      rollback()
      throw error
    }
    return rollback
  }

  #admitEvent(event: SessionEvent, undo: (() => void)[]): void {
    const scope = nextScope(this.#scope, event)
    if (isRefusal(scope)) throw refusalError(scope, event)
    const refusal = this.#ledger.refusal(event)
    if (refusal !== undefined) throw refusalError(refusal, event)
    if (isSurfaceEvent(event)) undo.push(this.#enterSurface(event))
    const leave = this.#ledger.enter(event)
    if (leave !== undefined) undo.push(leave)
    this.#scope = scope
  }

  #enterSurface(event: SurfaceEvent): () => void {
    const range = placeOnSurface(this.#surface, event)
    if (range === undefined) {
      this.#surface.push(event)
      return () => this.#surface.pop()
    }
    if (isRefusal(range)) throw refusalError(range, event)
    const replaced = this.#surface.splice(range.position, range.length, event)
    return () => this.#surface.splice(range.position, 1, ...replaced)
  }
}
