import type { ToolCallBlock } from '@agent-spine/model'
import type { SessionEvent, ToolCallData, ToolResultData } from './event.js'
import type { Refusal } from './refusal.js'

/**
 * Owns: what became of every call.
 *
 * L1 A call is known once an `assistant/message` holds its block. No id is used by two blocks of the log.
 * L2 A call has at most one `tool/call`, which repeats its block; at most one `tool/dispatch`, after its `tool/call`;
 *    exactly one `tool/result`, after which nothing of it but `tool/late` and nested calls may come.
 * L3 While a call is unanswered, only results join the surface: no message can bury it.
 */
interface CallRecord {
  readonly block: ToolCallBlock
  readonly messageSeq: number
  /** Calls count in the order in which the model made them. */
  readonly position: number
  callSeq: number | undefined
  dispatchSeq: number | undefined
  resultSeq: number | undefined
}

const untouched = { callSeq: undefined, dispatchSeq: undefined, resultSeq: undefined }

export class CallLedger {
  readonly #calls = new Map<string, CallRecord>()
  readonly #unanswered = new Set<CallRecord>()

  /** Why `event` may not join the log now, or nothing. Changes nothing. */
  refusal(event: SessionEvent): Refusal | undefined {
    switch (event.type) {
      case 'user/message':
        return this.#buries()
      case 'assistant/message':
        return this.#buries() ?? this.#usedId(callBlocks(event))
      case 'tool/call':
        return this.#callRefusal(event.data)
      case 'tool/dispatch':
        return this.#dispatchRefusal(event.data.callId)
      case 'tool/result':
        return this.#resultRefusal(resultCallId(event.data))
      case 'tool/late':
        return this.#unknown(resultCallId(event.data))
      case 'tool/sub-call':
      case 'tool/sub-result':
        return this.#unknown(event.data.parentCallId)
      default:
        return undefined
    }
  }

  /** Enters an event that was not refused. Returns how to take it back, or nothing where nothing changed. */
  enter(event: SessionEvent): (() => void) | undefined {
    switch (event.type) {
      case 'assistant/message':
        return this.#enterBlocks(callBlocks(event), event.seq)
      case 'tool/call':
        return this.#mark(event.data.callId, 'callSeq', event.seq)
      case 'tool/dispatch':
        return this.#mark(event.data.callId, 'dispatchSeq', event.seq)
      case 'tool/result':
        return this.#mark(resultCallId(event.data), 'resultSeq', event.seq)
      default:
        return undefined
    }
  }

  #enterBlocks(blocks: readonly ToolCallBlock[], messageSeq: number): (() => void) | undefined {
    if (blocks.length === 0) return undefined
    const records = blocks.map((block, index): CallRecord => {
      return { block, messageSeq, position: this.#calls.size + index, ...untouched }
    })
    for (const record of records) {
      this.#calls.set(record.block.id, record)
      this.#unanswered.add(record)
    }
    return () => {
      for (const record of records) {
        this.#calls.delete(record.block.id)
        this.#unanswered.delete(record)
      }
    }
  }

  #mark(
    callId: string,
    field: 'callSeq' | 'dispatchSeq' | 'resultSeq',
    seq: number,
  ): (() => void) | undefined {
    const record = this.#calls.get(callId)
    if (record === undefined) return undefined
    record[field] = seq
    if (field === 'resultSeq') this.#unanswered.delete(record)
    return () => {
      record[field] = undefined
      if (field === 'resultSeq') this.#unanswered.add(record)
    }
  }

  #buries(): Refusal | undefined {
    if (this.#unanswered.size === 0) return undefined
    // Not the first of the set: a result that was taken back has put its call at the end.
    const { block, messageSeq } = [...this.#unanswered].reduce((first, other) =>
      other.position < first.position ? other : first,
    )
    return {
      code: 'SURFACE_CONFLICT',
      reason: `call ${block.id} of seq ${messageSeq} has no result yet, and only results may join the surface until it has`,
      conflictSeq: messageSeq,
    }
  }

  #usedId(blocks: readonly ToolCallBlock[]): Refusal | undefined {
    const own = new Set<string>()
    for (const { id } of blocks) {
      const used = this.#calls.get(id)
      if (used !== undefined) {
        return conflict(
          `call id ${id} was used at seq ${used.messageSeq}: give the call another id`,
          used.messageSeq,
        )
      }
      if (own.has(id))
        return conflict(`call id ${id} is used twice in this message: give one call another id`)
      own.add(id)
    }
    return undefined
  }

  #unknown(callId: string): Refusal | undefined {
    if (this.#calls.has(callId)) return undefined
    return conflict(`no assistant message of this log holds a call ${JSON.stringify(callId)}`)
  }

  #answered(callId: string): Refusal | undefined {
    const resultSeq = this.#calls.get(callId)?.resultSeq
    if (resultSeq === undefined) return undefined
    return conflict(`call ${callId} has its result at seq ${resultSeq}`, resultSeq)
  }

  #callRefusal(data: ToolCallData): Refusal | undefined {
    const refusal = this.#unknown(data.callId) ?? this.#answered(data.callId)
    const record = this.#calls.get(data.callId)
    if (refusal !== undefined || record === undefined) return refusal
    if (record.callSeq !== undefined) {
      return conflict(`call ${data.callId} has its tool/call at seq ${record.callSeq}`, record.callSeq)
    }
    if (record.block.name === data.name && record.block.arguments === data.arguments) return undefined
    return conflict(
      `name and arguments of call ${data.callId} differ from what the model wrote at seq ${record.messageSeq}`,
      record.messageSeq,
    )
  }

  #dispatchRefusal(callId: string): Refusal | undefined {
    const refusal = this.#unknown(callId) ?? this.#answered(callId)
    const record = this.#calls.get(callId)
    if (refusal !== undefined || record === undefined) return refusal
    if (record.callSeq === undefined) {
      return conflict(`call ${callId} of seq ${record.messageSeq} has no tool/call yet`, record.messageSeq)
    }
    if (record.dispatchSeq === undefined) return undefined
    return conflict(`call ${callId} was dispatched at seq ${record.dispatchSeq}`, record.dispatchSeq)
  }

  #resultRefusal(callId: string): Refusal | undefined {
    return this.#unknown(callId) ?? this.#answered(callId)
  }
}

/** The call a result message answers: its shape was checked. */
function resultCallId(data: ToolResultData): string {
  const { source } = data.message
  return source.kind === 'tool' ? source.callId : ''
}

function callBlocks(event: SessionEvent<'assistant/message'>): readonly ToolCallBlock[] {
  return event.data.message.content.filter(block => block.type === 'tool-call')
}

function conflict(reason: string, conflictSeq?: number): Refusal {
  return { code: 'CALL_CONFLICT', reason, ...(conflictSeq !== undefined && { conflictSeq }) }
}
