import type { SessionEvent } from './event.js'
import type { Refusal } from './refusal.js'

/**
 * Owns: the surface, the ordered events that the model sees.
 *
 * F1 `append` adds the event at the end. `replace` puts it where the events from `start` to `end` stood, which leave
 *    the surface and stay in the log.
 * F2 `start` and `end` name events on the surface, in surface order, which replacements make different from seq order.
 * F3 A replacement holds no call and no result, and neither edge of its range falls between a call and its result.
 *    Results directly follow their message (rule L3), so an edge does so exactly when a result comes right after it.
 */
export type SurfaceEvent = SessionEvent<'user/message' | 'assistant/message' | 'tool/result'>

/** The part of the surface that `event` replaces, as a position and a length. */
interface SurfaceRange {
  readonly position: number
  readonly length: number
}

export function isSurfaceEvent(event: SessionEvent): event is SurfaceEvent {
  return isSurfaceType(event.type)
}

export function isSurfaceType(type: string): boolean {
  return type === 'user/message' || type === 'assistant/message' || type === 'tool/result'
}

/** Where `event` goes: nothing for the end, a range for a replacement, or why it may not go there. */
export function placeOnSurface(
  surface: readonly SurfaceEvent[],
  event: SurfaceEvent,
): SurfaceRange | Refusal | undefined {
  const operation = event.surfaceOp ?? 'append'
  if (operation === 'append') return undefined
  const { start, end } = operation.replace
  const position = positionOf(surface, start)
  if (position < 0) return refuse(`seq ${start} is not on the surface`, start)
  const last = positionOf(surface, end)
  if (last < 0) return refuse(`seq ${end} is not on the surface`, end)
  if (last < position) return refuse(`seq ${start} comes after seq ${end} on the surface`, start)
  if (event.type === 'tool/result' || hasCalls(event)) {
    return refuse('a replacement must hold neither calls nor results, which would lose their place')
  }
  if (surface[position]?.type === 'tool/result') {
    return refuse(`the range starts between a call and its result, which is seq ${start}`, start)
  }
  const after = surface[last + 1]
  if (after?.type === 'tool/result') {
    return refuse(`the range ends between a call and its result, which is seq ${after.seq}`, after.seq)
  }
  return { position, length: last - position + 1 }
}

function positionOf(surface: readonly SurfaceEvent[], seq: number): number {
  return surface.findIndex(event => event.seq === seq)
}

function hasCalls(event: SurfaceEvent): boolean {
  return event.data.message.content.some(block => block.type === 'tool-call')
}

function refuse(reason: string, conflictSeq?: number): Refusal {
  return { code: 'SURFACE_CONFLICT', reason, ...(conflictSeq !== undefined && { conflictSeq }) }
}
