import type { AbortCause } from '@agent-spine/session'
import type { Receipt } from './receipt.js'
import type { TurnReport } from './turn.js'
import { withoutTurn, type TurnOutcome } from './turn-outcome.js'

/** Those who wait for the turn that takes their input. Every one of them hears of an ending. */
export class Prompts {
  readonly #waiting = new Map<string, { readonly receipt: Receipt; resolve(outcome: TurnOutcome): void }>()

  wait(receipt: Receipt): Promise<TurnOutcome> {
    return new Promise(resolve => this.#waiting.set(receipt.id, { receipt, resolve }))
  }

  /** A turn ended: it speaks for the input that it looked at, taken or not, but for what was withdrawn from it. */
  turnEnded({ looked, outcome }: TurnReport): void {
    for (const id of looked) {
      if (this.#waiting.get(id)?.receipt.state !== 'returned') this.#answer(id, outcome)
    }
  }

  /** Answers for input that no turn will take: it left the inbox, or `resting` says that nothing drives it any more. */
  settle(cause: AbortCause | undefined, resting: TurnOutcome | undefined): void {
    const withdrawn = withoutTurn({ kind: 'aborted', cause: cause ?? { kind: 'user' } })
    for (const [id, { receipt }] of [...this.#waiting]) {
      if (receipt.state !== 'queued') this.#answer(id, withdrawn)
      else if (resting !== undefined) this.#answer(id, resting)
    }
  }

  #answer(id: string, outcome: TurnOutcome): void {
    this.#waiting.get(id)?.resolve(outcome)
    this.#waiting.delete(id)
  }
}
