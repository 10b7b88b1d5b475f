import { type CompiledNode } from './node.js'
import { isWellFormed } from './plain.js'

/** Whether a value that holds no others fits a node. The innermost check of every walk: it allocates nothing. */
export function scalarFits(node: CompiledNode, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      if (node.kind !== 'string' && node.kind !== 'any') return false
      if (node.isWellFormedOnly && !isWellFormed(value)) return false
      break
    case 'number':
      if (node.kind === 'integer') {
        if (!Number.isInteger(value)) return false
      } else if ((node.kind !== 'number' && node.kind !== 'any') || value - value !== 0) return false
      if (value === 0 && Object.is(value, -0)) return false
      break
    case 'boolean':
      if (node.kind !== 'boolean' && node.kind !== 'any') return false
      break
    default:
      if (value !== null || (node.kind !== 'null' && node.kind !== 'any')) return false
  }
  return node.allowed === null || node.allowed.has(value)
}
