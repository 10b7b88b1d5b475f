import { HarnessError, snapshotJson, type JsonValue } from '@agent-spine/schema'

/**
 * Owns: turning a caller's value into one that the log may keep.
 *
 * D1 The copy is lossless JSON, shares no object with the value and is frozen at every level.
 * D2 At most `maxLevels` levels and `maxValues` values, shared objects counted as often as JSON text repeats them, so
 *    that a store can write whatever the log took.
 * D3 What a store has just parsed, and nobody else holds, needs no copy: it is frozen where it is, within the same bounds.
 */
const maxLevels = 1000
const maxValues = 10_000_000

/** Throws a `HarnessError` that says what is wrong with `value`, and where. */
export function detach(value: unknown): JsonValue {
  const copy = snapshotJson(value, { remember: false })
  assertBounds(valuesLeft(copy, 1, maxValues))
  return copy
}

/** Freezes what `JSON.parse` made and nobody else holds. Throws like {@link detach}. */
export function adopt(parsed: JsonValue): JsonValue {
  const left = freezeParsed(parsed, 1, maxValues)
  // The general way finds the words for what JSON text cannot carry.
  if (left === notLossless) return detach(parsed)
  assertBounds(left)
  return parsed
}

function assertBounds(left: number): void {
  if (left >= 0) return
  throw new HarnessError(
    'TOO_LARGE',
    left === tooDeep
      ? `at most ${maxLevels} levels`
      : `at most ${maxValues} values, shared ones counted each time`,
  )
}

const notLossless = -3
const tooDeep = -2
const tooMany = -1

/** How many of `left` values remain after those in `value`; `tooDeep` or `tooMany` where it goes beyond a bound. */
function valuesLeft(value: JsonValue, level: number, left: number): number {
  if (typeof value !== 'object' || value === null) return left - 1
  if (level > maxLevels) return tooDeep
  let remaining = left - 1
  for (const member of Array.isArray(value) ? (value as readonly JsonValue[]) : Object.values(value)) {
    if (remaining <= 0) return remaining === 0 ? tooMany : remaining
    remaining = valuesLeft(member, level + 1, remaining)
  }
  return remaining
}

/** Like {@link valuesLeft}, and freezes on the way; `notLossless` where a scalar is none that JSON writes as it reads it. */
function freezeParsed(value: JsonValue, level: number, left: number): number {
  if (typeof value !== 'object' || value === null) return isLossless(value) ? left - 1 : notLossless
  if (level > maxLevels) return tooDeep
  let remaining = left - 1
  for (const member of Array.isArray(value) ? (value as readonly JsonValue[]) : Object.values(value)) {
    if (remaining <= 0) return remaining === 0 ? tooMany : remaining
    remaining = freezeParsed(member, level + 1, remaining)
  }
  Object.freeze(value)
  return remaining
}

function isLossless(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  return value === null || typeof value === 'string' || typeof value === 'boolean'
}
