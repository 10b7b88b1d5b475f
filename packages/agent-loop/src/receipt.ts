/** What has become of queued input. `returned`: it was withdrawn. `discarded`: cancelled, or refused by a hook. */
export type ReceiptState = 'queued' | 'committed' | 'returned' | 'discarded'

/** Follows one input through the inbox. */
export interface Receipt {
  readonly id: string
  readonly state: ReceiptState
  /** Resolves with the state once it is final; with `queued` when the agent is disposed of while the input waits. */
  readonly settled: Promise<ReceiptState>
  /** Takes the input back, if it is still queued. Answers whether it was. */
  withdraw(): boolean
}

/** The inbox's side of a receipt. */
export interface OpenReceipt {
  readonly receipt: Receipt
  settle(state: ReceiptState): void
}

export function openReceipt(
  id: string,
  { readOn, withdraw }: { readonly readOn: () => void; readonly withdraw: () => boolean },
): OpenReceipt {
  let state: ReceiptState = 'queued'
  let resolve: (state: ReceiptState) => void = () => undefined
  const settled = new Promise<ReceiptState>(resolveSettled => (resolve = resolveSettled))
  return {
    receipt: {
      id,
      get state() {
        readOn()
        return state
      },
      settled,
      withdraw,
    },
    settle(final) {
      state = final
      resolve(final)
    },
  }
}
