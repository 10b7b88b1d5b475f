import type { JsonValue } from '@agent-spine/schema'
import type { CoreEventMap } from './event.js'

/**
 * Owns: a short way to detach the data that a log takes by the thousand: plain deltas, and what a call that succeeds
 * with text writes down.
 *
 * E1 What it answers is what the general way and the shape table together would: right for its type, sharing no object
 *    with the source, frozen at every level. Nothing of the source is trusted: what is frozen may still have getters, and
 *    hold what is not frozen.
 * E2 It refuses nothing: whatever is not exactly the plain case is left to the general way, which finds the words.
 * E3 Every property is read once, so what was looked at is what is kept.
 * E4 Copies are spelt out as literals: smaller and several times faster in V8 than what is spread and then changed.
 */
export function detachLean(type: string, data: unknown): object | undefined {
  switch (type) {
    case 'assistant/chunk':
      return detachDelta(data)
    case 'tool/call':
      return detachCall(data)
    case 'tool/dispatch':
      return detachDispatch(data)
    case 'tool/result':
      return detachResult(data)
    default:
      return undefined
  }
}

function detachDelta(data: unknown): CoreEventMap['assistant/chunk'] | undefined {
  if (!hasOwnKeys(data, 4)) return undefined
  const { turn, step, attempt, chunk } = data
  if (!isCount(turn) || !isCount(step) || !isCount(attempt) || !hasOwnKeys(chunk, 3)) return undefined
  const { type, index, text } = chunk
  if (type !== 'text-delta' && type !== 'reasoning-delta' && type !== 'tool-call-delta') return undefined
  if (!isCount(index) || typeof text !== 'string') return undefined
  return Object.freeze({ turn, step, attempt, chunk: Object.freeze({ type, index, text }) })
}

function detachCall(data: unknown): CoreEventMap['tool/call'] | undefined {
  if (!hasOwnKeys(data, 5)) return undefined
  const { turn, step, callId, name, arguments: raw } = data
  if (!isCount(turn) || !isCount(step) || !isName(callId)) return undefined
  if (typeof name !== 'string' || typeof raw !== 'string') return undefined
  return Object.freeze({ turn, step, callId, name, arguments: raw })
}

function detachDispatch(data: unknown): CoreEventMap['tool/dispatch'] | undefined {
  if (!hasOwnKeys(data, 1)) return undefined
  const { callId } = data
  return isName(callId) ? Object.freeze({ callId }) : undefined
}

type ResultMessage = CoreEventMap['tool/result']['message']
type ResultBlock = Extract<ResultMessage['content'][number], { type: 'tool-result' }>

function detachResult(data: unknown): CoreEventMap['tool/result'] | undefined {
  if (!hasOwnKeys(data, 3)) return undefined
  const { turn, step, message } = data
  if (!isCount(turn) || !isCount(step)) return undefined
  const detached = detachResultMessage(message)
  return detached && Object.freeze({ turn, step, message: detached })
}

function detachResultMessage(message: unknown): ResultMessage | undefined {
  if (!hasOwnKeys(message, 4)) return undefined
  const { id, role, source, content } = message
  if (!isName(id) || role !== 'user' || !hasOwnKeys(source, 2) || !isDense(content, 1)) return undefined
  const { kind, callId } = source
  if (kind !== 'tool' || !isName(callId)) return undefined
  const block = detachResultBlock(content[0], callId)
  if (block === undefined) return undefined
  return Object.freeze({
    id,
    role,
    source: Object.freeze({ kind, callId }),
    content: Object.freeze([block]),
  })
}

function detachResultBlock(block: unknown, callId: string): ResultBlock | undefined {
  if (!hasOwnKeys(block, 3)) return undefined
  const { type, toolCallId, content } = block
  if (type !== 'tool-result' || toolCallId !== callId || !isDense(content, 1)) return undefined
  const text = detachText(content[0])
  return text && Object.freeze({ type, toolCallId: callId, content: Object.freeze([text]) })
}

function detachText(block: unknown) {
  if (!hasOwnKeys(block, 2)) return undefined
  const { type, text } = block
  return type === 'text' && typeof text === 'string' ? Object.freeze({ type, text }) : undefined
}

/** Whether `value` is a plain object without own keys beyond so many. Which ones they are shows when they are read. */
function hasOwnKeys(value: unknown, count: number): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    // Two calls that engines answer from the shape, and together sooner than `Reflect.ownKeys`.
    Object.getOwnPropertyNames(value).length === count &&
    Object.getOwnPropertySymbols(value).length === 0
  )
}

/** Whether `value` is a plain array of so many items and nothing else. */
function isDense(value: unknown, length: number): value is readonly JsonValue[] {
  return (
    Array.isArray(value) &&
    Object.getPrototypeOf(value) === Array.prototype &&
    // Its items and `length`. A hole among them is read as `undefined`, which is no block.
    Reflect.ownKeys(value).length === length + 1
  )
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)
}
