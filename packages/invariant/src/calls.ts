import type { ToolCallBlock } from '@agent-spine/model'
import type { SessionEvent } from '@agent-spine/session'
import type { Problem } from './finding.js'

/**
 * Owns: what became of every call.
 *
 * C1. A call is known once a message holds its block, whose id is new to the log. An interrupted message holds none.
 * C2. A call has at most one `tool/call`, which repeats its block, and at most one `tool/dispatch`, between its
 *     `tool/call` and its result; a skipped call has none.
 * C3. A call has one result, in the order of its message, which cites its `tool/call`, or its message when there is none.
 * C4. Nothing that the model sees stands between a call and its result.
 */
export interface Calls {
  /** Calls without result, in the order the model asked. */
  readonly open: ReadonlyMap<string, OpenCall>
  readonly known: KnownIds
}

interface OpenCall {
  readonly block: ToolCallBlock
  readonly messageSeq: number
  readonly callSeq?: number
  readonly skipped?: true
  readonly dispatched?: true
}

/** Every call id of a log. A branch reads through to its base and keeps its own additions apart. */
export class KnownIds {
  readonly #own = new Set<string>()
  readonly #base: KnownIds | undefined

  constructor(base?: KnownIds) {
    this.#base = base
  }

  has(id: string): boolean {
    return this.#own.has(id) || this.#base?.has(id) === true
  }

  add(id: string): void {
    this.#own.add(id)
  }
}

export function noCalls(): Calls {
  return { open: new Map(), known: new KnownIds() }
}

export function callProblem(calls: Calls, event: SessionEvent): Problem | undefined {
  switch (event.type) {
    case 'user/message':
      return splitsBatch(calls)
    case 'assistant/message':
      return splitsBatch(calls) ?? blockProblem(calls, event)
    case 'tool/call':
      return toolCallProblem(calls, event)
    case 'tool/dispatch':
      return dispatchProblem(calls, event.data.callId)
    case 'tool/result':
      return resultProblem(calls, event)
    case 'tool/late':
      return unknown(calls, resultCall(event))
    case 'tool/sub-call':
    case 'tool/sub-result':
      return unknown(calls, event.data.parentCallId)
    default:
      return undefined
  }
}

function splitsBatch({ open }: Calls): Problem | undefined {
  for (const [callId, { messageSeq }] of open) {
    return [
      'BATCH_SPLIT',
      `call ${callId} of seq ${messageSeq} has no result yet; only results may follow it`,
    ]
  }
  return undefined
}

function blockProblem({ known }: Calls, event: SessionEvent<'assistant/message'>): Problem | undefined {
  const own = new Set<string>()
  for (const { id } of callBlocks(event)) {
    if (event.data.interrupted === true) return ['CALL_ORDER', `an interrupted message asks for call ${id}`]
    if (id === '' || own.has(id) || known.has(id)) {
      return ['CALL_ID', `expected a call id new to the log, found ${JSON.stringify(id)}`]
    }
    own.add(id)
  }
  return undefined
}

function toolCallProblem(calls: Calls, { data }: SessionEvent<'tool/call'>): Problem | undefined {
  const call = calls.open.get(data.callId)
  if (call === undefined) return notOpen(calls, data.callId)
  if (call.callSeq !== undefined)
    return ['CALL_ORDER', `call ${data.callId} has its tool/call at seq ${call.callSeq}`]
  const { name, providerId, arguments: raw } = call.block
  if (data.name === name && data.arguments === raw && data.providerId === providerId) return undefined
  return ['CALL_ALTERED', `call ${data.callId} differs from what the model wrote at seq ${call.messageSeq}`]
}

function dispatchProblem(calls: Calls, callId: string): Problem | undefined {
  const call = calls.open.get(callId)
  if (call === undefined) return notOpen(calls, callId)
  if (call.callSeq === undefined) return ['CALL_ORDER', `call ${callId} is dispatched before its tool/call`]
  if (call.skipped) return ['CALL_ORDER', `call ${callId} was skipped and is dispatched`]
  if (call.dispatched) return ['CALL_ORDER', `call ${callId} is dispatched twice`]
  return undefined
}

function resultProblem(calls: Calls, event: SessionEvent<'tool/result'>): Problem | undefined {
  const callId = resultCall(event)
  const call = calls.open.get(callId)
  if (call === undefined) return notOpen(calls, callId)
  const [first] = calls.open.keys()
  if (first !== callId) return ['RESULT_ORDER', `expected the result of call ${first ?? ''}, found ${callId}`]
  const expected = call.callSeq ?? call.messageSeq
  if (event.sourceEventSeqs?.includes(expected) === true) return undefined
  return ['RESULT_CITATION', `the result of call ${callId} does not cite seq ${expected}`]
}

function notOpen(calls: Calls, callId: string): Problem | undefined {
  return unknown(calls, callId) ?? ['RESULT_REPEATED', `call ${callId} has its result`]
}

function unknown({ known }: Calls, callId: string): Problem | undefined {
  return known.has(callId)
    ? undefined
    : ['CALL_UNKNOWN', `no message before asks for call ${JSON.stringify(callId)}`]
}

export function nextCalls(calls: Calls, event: SessionEvent): Calls {
  switch (event.type) {
    case 'assistant/message': {
      const blocks = callBlocks(event)
      if (blocks.length === 0) return calls
      const open = new Map(calls.open)
      for (const block of blocks) {
        open.set(block.id, { block, messageSeq: event.seq })
        calls.known.add(block.id)
      }
      return { ...calls, open }
    }
    case 'tool/call':
      return changed(calls, event.data.callId, {
        callSeq: event.seq,
        ...(event.data.skipped === true && { skipped: true }),
      })
    case 'tool/dispatch':
      return changed(calls, event.data.callId, { dispatched: true })
    case 'tool/result': {
      const open = new Map(calls.open)
      return open.delete(resultCall(event)) ? { ...calls, open } : calls
    }
    default:
      return calls
  }
}

function changed(calls: Calls, callId: string, change: Partial<OpenCall>): Calls {
  const call = calls.open.get(callId)
  if (call === undefined) return calls
  return { ...calls, open: new Map(calls.open).set(callId, { ...call, ...change }) }
}

function callBlocks(event: SessionEvent<'assistant/message'>): readonly ToolCallBlock[] {
  return event.data.message.content.filter(block => block.type === 'tool-call')
}

/** The call a result names; empty when it contradicts itself, which no call's id is. */
function resultCall(event: SessionEvent<'tool/result' | 'tool/late'>): string {
  const { source, content } = event.data.message
  const [block] = content
  if (source.kind !== 'tool' || content.length !== 1 || block?.type !== 'tool-result') return ''
  return block.toolCallId === source.callId ? source.callId : ''
}
