import { type JsonScalar } from './json.js'
import { booleanBit, type CompiledNode, nullBit, numberBit, stringBit } from './node.js'
import { isWellFormed } from './plain.js'

/** Whether a value that holds no others fits a node. The innermost check of every walk: it allocates nothing. */
export function scalarFits(node: CompiledNode, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      if ((node.types & stringBit) === 0 || (node.isWellFormedOnly && !isWellFormed(value))) return false
      break
    case 'number':
      if ((node.types & numberBit) === 0 || value - value !== 0) return false
      if (node.kind === 'integer' && Math.floor(value) !== value) return false
      if (value === 0 && Object.is(value, -0)) return false
      break
    case 'boolean':
      if ((node.types & booleanBit) === 0) return false
      break
    default:
      if (value !== null || (node.types & nullBit) === 0) return false
  }
  return node.allowed === null || isAllowed(node, value)
}

function isAllowed({ allowed, allowedSet }: CompiledNode, value: JsonScalar): boolean {
  if (allowedSet !== null) return allowedSet.has(value)
  if (allowed !== null) {
    for (let index = 0; index < allowed.length; index += 1) if (allowed[index] === value) return true
  }
  return false
}

/** Whether JSON carries this value, which is not an object, unchanged. */
export function isLosslessScalar(value: unknown): boolean {
  if (typeof value === 'number') return value - value === 0 && !Object.is(value, -0)
  return typeof value === 'string' || typeof value === 'boolean' || value === null
}
