import { type CompiledNode, typeBits } from './node.js'
import { isWellFormed } from './plain.js'

/** Whether a value that holds no others fits a node. The innermost check of every walk: it allocates nothing. */
export function scalarFits(node: CompiledNode, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      if ((node.types & typeBits.string) === 0 || (node.isWellFormedOnly && !isWellFormed(value)))
        return false
      break
    case 'number':
      if ((node.types & typeBits.number) === 0 || value - value !== 0) return false
      if (node.kind === 'integer' && Math.floor(value) !== value) return false
      if (value === 0 && Object.is(value, -0)) return false
      break
    case 'boolean':
      if ((node.types & typeBits.boolean) === 0) return false
      break
    default:
      if (value !== null || (node.types & typeBits.null) === 0) return false
  }
  return node.allowed === null || node.allowed.has(value)
}
