import { type JsonValue } from './json.js'
import { losslessNode } from './node.js'
import { check } from './walk.js'

/**
 * Whether JSON carries `value` unchanged: no `NaN`, `Infinity`, `-0`, `undefined`, bigint, function or symbol; dense
 * arrays and plain objects with own enumerable string keys only; no cycles. Never throws.
 */
export function isLosslessJson(value: unknown): value is JsonValue {
  return check(losslessNode, value, {})
}
