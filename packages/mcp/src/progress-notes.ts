import { type JsonObject, type JsonValue } from '@agent-spine/schema'
import { isObject, ownOf, textOf } from './json-facts.js'

/**
 * Turns what a body tells of its progress into the parameters of MCP's progress notifications, whose number must grow
 * with each. Updates that have no number of their own are counted; one whose number does not grow is left out.
 */
export function progressNotes(progressToken: string | number): (update: JsonValue) => JsonObject | undefined {
  let last: number | undefined
  return update => {
    const facts = isObject(update) ? update : {}
    const own = typeof update === 'number' ? update : ownOf(facts, 'progress')
    const progress = typeof own === 'number' ? own : (last ?? 0) + 1
    if (last !== undefined && progress <= last) return undefined
    last = progress
    const total = ownOf(facts, 'total')
    const message = messageOf(update, typeof own === 'number')
    return {
      progressToken,
      progress,
      ...(typeof total === 'number' && { total }),
      ...(message !== undefined && { message }),
    }
  }
}

function messageOf(update: JsonValue, isNumbered: boolean): string | undefined {
  if (typeof update === 'string') return update
  if (isObject(update)) return textOf(update, 'message') ?? (isNumbered ? undefined : JSON.stringify(update))
  return isNumbered ? undefined : JSON.stringify(update)
}
