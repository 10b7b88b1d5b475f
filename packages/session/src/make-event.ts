import { HarnessError, type JsonValue } from '@agent-spine/schema'
import { adopt, detach } from './detach.js'
import { detachLean } from './detach-lean.js'
import { EventRefusedError } from './errors.js'
import type { EventDraft, EventOptions, SessionEvent, SurfaceOp } from './event.js'
import { dataProblem, isCoreType } from './event-shape.js'
import { refusalError } from './refusal.js'
import { isSurfaceType } from './surface.js'

/** Where and when an event stands in its log. */
export interface Stamp {
  readonly seq: number
  readonly time: number
}

/** Which event a refusal speaks of. */
interface Place {
  readonly seq: number
  readonly type: string
}

/** A draft as an object that can be read at all. Throws `EventRefusedError`. */
export function readDraft(draft: unknown, seq: number): EventDraft {
  if (typeof draft === 'object' && draft !== null) return draft as EventDraft
  throw invalid({ seq, type: '' }, `an event must be an object with type and data (found ${String(draft)})`)
}

/** What an event must be to be made. */
export interface EventTerms {
  /** Types beyond the core ones. */
  readonly knownTypes: ReadonlySet<string>
  /** Whether the draft was just parsed and nobody else holds it. */
  readonly isParsed?: boolean
}

/**
 * Turns a draft into the frozen event the log keeps, which shares nothing with it, or what is in it where it was just
 * parsed. Throws `EventRefusedError`.
 */
export function makeEvent(draft: EventDraft, stamp: Stamp, terms: EventTerms): SessionEvent {
  const { knownTypes, isParsed = false } = terms
  const { seq, time } = stamp
  const type: string = readType(draft, seq)
  const place = { seq, type }
  if (!Number.isSafeInteger(time) || time < 0) {
    throw invalid(place, `time must be whole milliseconds since 1970 (found ${String(time)})`)
  }
  const options = readOptions(draft, place)
  if (options?.ignorable === undefined && !isCoreType(type) && !knownTypes.has(type)) throw unknownType(place)
  const data = isParsed ? adoptData(draft, place) : detachData(draft, place)
  // The shape table has checked that `data` is what `type` says.
  return Object.freeze(assemble({ seq, time, type, data }, options)) as unknown as SessionEvent
}

interface Bare extends Stamp {
  readonly type: string
  readonly data: unknown
}

/** Spelt out where it is usual: the smallest objects that V8 makes, and the fastest. */
function assemble({ seq, time, type, data }: Bare, options: EventOptions | undefined): Bare & EventOptions {
  if (options === undefined) return { seq, time, type, data }
  const { surfaceOp, sourceEventSeqs, closer, ignorable } = options
  if (surfaceOp === undefined || sourceEventSeqs === undefined || closer || ignorable)
    return { seq, time, type, data, ...options }
  return { seq, time, type, data, surfaceOp, sourceEventSeqs }
}

function readType(draft: EventDraft, seq: number): string {
  const type: unknown = draft.type
  if (typeof type === 'string' && type !== '') return type
  throw invalid({ seq, type: '' }, 'type must be a string that is not empty')
}

function detachData(draft: EventDraft, place: Place): unknown {
  try {
    const source: unknown = draft.data
    return detachLean(place.type, source) ?? checkedData(detach(source), place)
  } catch (error) {
    throw noData(error, place)
  }
}

function adoptData(draft: EventDraft, place: Place): unknown {
  try {
    // What is plain is copied faster than it is checked.
    const lean = detachLean(place.type, draft.data)
    return lean ?? checkedData(adopt(draft.data as unknown as JsonValue), place)
  } catch (error) {
    throw noData(error, place)
  }
}

function noData(error: unknown, place: Place): EventRefusedError {
  if (error instanceof EventRefusedError) return error
  const found = HarnessError.is(error) ? error.message : 'it cannot be read'
  return invalid(place, `data must be JSON that a store can keep: ${found}`, error)
}

function checkedData(data: JsonValue, place: Place): JsonValue {
  const problem = dataProblem(place.type, data)
  if (problem === undefined) return data
  throw invalid(place, `data${problem.path} ${problem.message}`)
}

const appended: EventOptions = { surfaceOp: 'append' }

function readOptions(draft: EventOptions, place: Place): EventOptions | undefined {
  const { surfaceOp, sourceEventSeqs, closer, ignorable } = draft
  const onSurface = isSurfaceType(place.type)
  if (
    surfaceOp === undefined &&
    sourceEventSeqs === undefined &&
    closer === undefined &&
    ignorable === undefined
  ) {
    return onSurface ? appended : undefined
  }
  if (!onSurface && surfaceOp !== undefined)
    throw invalid(place, 'events of this type have no place on the surface')
  const op = onSurface ? readSurfaceOp(surfaceOp === undefined ? 'append' : surfaceOp, place) : undefined
  const sources = sourceEventSeqs === undefined ? undefined : readSources(sourceEventSeqs, place)
  // Spelt out where it is usual: four spreads of what may be absent take half a microsecond.
  if (op !== undefined && sources !== undefined && closer === undefined && ignorable === undefined)
    return { surfaceOp: op, sourceEventSeqs: sources }
  return {
    ...(op !== undefined && { surfaceOp: op }),
    ...(sources !== undefined && { sourceEventSeqs: sources }),
    ...(readFlag('closer', closer, place) && { closer: true }),
    ...(readFlag('ignorable', ignorable, place) && { ignorable: true }),
  }
}

function readFlag(name: string, value: unknown, place: Place): boolean {
  if (value === undefined || value === true) return value === true
  throw invalid(place, `${name} must be true or absent (found ${typeof value})`)
}

function readSurfaceOp(operation: unknown, place: Place): SurfaceOp {
  if (operation === 'append') return 'append'
  const { replace } = Object(operation) as { readonly replace?: unknown }
  const { start, end } = Object(replace) as { readonly start?: unknown; readonly end?: unknown }
  if (isSeqBefore(start, place.seq) && isSeqBefore(end, place.seq)) {
    return Object.freeze({ replace: Object.freeze({ start, end }) })
  }
  throw invalid(
    place,
    `surfaceOp must be 'append' or { replace: { start, end } } with seqs of earlier events`,
  )
}

function readSources(sources: unknown, place: Place): readonly number[] {
  if (!Array.isArray(sources)) throw invalid(place, 'sourceEventSeqs must be an array of seqs')
  const seqs: number[] = []
  let last = -1
  for (const source of sources as readonly unknown[]) {
    if (!isSeqBefore(source, place.seq) || source <= last) {
      throw invalid(
        place,
        `sourceEventSeqs must be ascending seqs of earlier events (found ${String(source)} after ${last})`,
      )
    }
    last = source
    seqs.push(source)
  }
  return Object.freeze(seqs)
}

function isSeqBefore(value: unknown, seq: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < seq
}

function invalid(place: Place, reason: string, cause?: unknown): EventRefusedError {
  return refusalError({ code: 'INVALID_EVENT', reason, ...(cause !== undefined && { cause }) }, place)
}

function unknownType(place: Place): EventRefusedError {
  const reason =
    'this version does not know the type. Upgrade to the version that wrote the log, name the type in `eventTypes`, ' +
    'or mark the event `ignorable` where a reader may skip it'
  return refusalError({ code: 'UNKNOWN_EVENT_TYPE', reason }, place)
}
