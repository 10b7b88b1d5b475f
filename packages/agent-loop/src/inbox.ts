import type { UserMessage } from '@agent-spine/model'
import type { EventDraft, InboxSplice, QueuedInput, Session } from '@agent-spine/session'
import { followLog } from './log-cursor.js'
import { openReceipt, type OpenReceipt, type Receipt } from './receipt.js'

/**
 * The input that waits for a turn or a step, as the log has it.
 *
 * I1. The log is the queue: every edit is an `inbox/spliced`, and the queues are what those fold to, also after a crash.
 * I2. Looking takes nothing. Input leaves in the one batch that commits, discards or returns it.
 * I3. Only the user's input wakes, extends a turn or is discarded; plugin messages wait and ride along.
 */
export interface Inbox {
  /** Queues `message` at the end of `target`. `quiet` input does not start a turn. */
  insert(target: Target, message: UserMessage, quiet?: 'quiet'): Receipt
  /** The draft of that edit, for a batch of the caller's: no receipt. The batch must not insert into `target` twice. */
  insertion(target: Target, messages: readonly UserMessage[]): EventDraft<'inbox/spliced'>[]
  /** What a step may take: the next-step queue, and for a turn's first step one follow-up. */
  look(step: number): readonly QueuedInput[]
  /** The edits that take out the input for which `outcomeOf` names an outcome. */
  removal(outcomeOf: (input: QueuedInput) => Outcome | undefined): EventDraft<'inbox/spliced'>[]
  /** Appends edits, if there are any. */
  apply(edits: readonly EventDraft<'inbox/spliced'>[]): void
  /** Whether the user's input waits for the next step. */
  extendsTurn(): boolean
  /** Whether input waits that may start a turn. */
  readonly startsTurn: () => boolean
  /** Settles the receipts of input that left since the last call. */
  readonly readOn: () => void
  /** Settles the receipts of input that still waits, as `queued`: it stays in the log and cannot be withdrawn here. */
  close(): void
}

type Target = InboxSplice['target']
type Outcome = NonNullable<InboxSplice['outcome']>

const targets: readonly Target[] = ['next-step', 'next-turn']

export function openInbox(session: Session): Inbox {
  const queues: Record<Target, QueuedInput[]> = { 'next-step': [], 'next-turn': [] }
  const receipts = new Map<string, OpenReceipt>()
  const quietIds = new Set<string>()
  let closed = false

  const readOn = followLog(session, event => {
    if (event.type !== 'inbox/spliced') return
    const { target, start, removed, inserted, outcome } = event.data
    queues[target].splice(start, removed.length, ...inserted)
    if (outcome === undefined) return
    for (const id of removed) {
      quietIds.delete(id)
      receipts.get(id)?.settle(outcome)
      receipts.delete(id)
    }
  })

  function current(target: Target): readonly QueuedInput[] {
    readOn()
    return queues[target]
  }

  function insertion(target: Target, messages: readonly UserMessage[]): EventDraft<'inbox/spliced'>[] {
    if (messages.length === 0) return []
    const inserted = messages.map(message => ({ inboxId: message.id, message }))
    return [{ type: 'inbox/spliced', data: { target, start: current(target).length, removed: [], inserted } }]
  }

  function removal(outcomeOf: (input: QueuedInput) => Outcome | undefined): EventDraft<'inbox/spliced'>[] {
    return targets.flatMap(target => removalFrom(target, current(target), outcomeOf))
  }

  function apply(edits: readonly EventDraft<'inbox/spliced'>[]): void {
    if (edits.length > 0) session.appendAll(edits)
  }

  return {
    insert(target, message, quiet) {
      const { id } = message
      const withdraw = (): boolean => {
        if (closed) return false
        const drafts = removal(input => (input.inboxId === id ? 'returned' : undefined))
        apply(drafts)
        return drafts.length > 0
      }
      const open = openReceipt(id, { readOn, withdraw })
      // Known before the append: its observers may ask, cancel or withdraw.
      receipts.set(id, open)
      if (quiet === 'quiet') quietIds.add(id)
      try {
        apply(insertion(target, [message]))
      } catch (error) {
        receipts.delete(id)
        quietIds.delete(id)
        throw error
      }
      return open.receipt
    },
    insertion,
    look(step) {
      const followup = step === 0 ? current('next-turn').slice(0, 1) : []
      return [...current('next-step'), ...followup]
    },
    removal,
    apply,
    extendsTurn: () => current('next-step').some(isFromUser),
    startsTurn: () =>
      targets.some(target =>
        current(target).some(input => isFromUser(input) && !quietIds.has(input.inboxId)),
      ),
    readOn,
    close() {
      readOn()
      closed = true
      for (const open of receipts.values()) open.settle('queued')
      receipts.clear()
    },
  }
}

export function isFromUser({ message }: QueuedInput): boolean {
  return message.source.kind === 'user'
}

/** One splice for each run of neighbours with one outcome; each `start` counts what the splices before it removed. */
function removalFrom(
  target: Target,
  queue: readonly QueuedInput[],
  outcomeOf: (input: QueuedInput) => Outcome | undefined,
): EventDraft<'inbox/spliced'>[] {
  const splices: { start: number; removed: string[]; outcome: Outcome }[] = []
  let kept = 0
  let run: (typeof splices)[number] | undefined
  for (const input of queue) {
    const outcome = outcomeOf(input)
    if (outcome === undefined) {
      kept++
      run = undefined
    } else if (run?.outcome === outcome) {
      run.removed.push(input.inboxId)
    } else {
      run = { start: kept, removed: [input.inboxId], outcome }
      splices.push(run)
    }
  }
  return splices.map(splice => ({ type: 'inbox/spliced', data: { target, inserted: [], ...splice } }))
}
