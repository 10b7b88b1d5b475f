import { dropRejection, isThenable } from './thenable.js'

/**
 * How a call may run beside its siblings. `parallel` calls overlap; two of them with the same `key` do not.
 * An `exclusive` call runs alone: after everything before it has committed, before anything after it starts.
 */
export type ExecutionMode =
  { readonly kind: 'parallel'; readonly key?: string } | { readonly kind: 'exclusive' }

const parallel: ExecutionMode = Object.freeze({ kind: 'parallel' })
/** The mode of a call of which nothing better is known. */
export const exclusive: ExecutionMode = Object.freeze({ kind: 'exclusive' })

/** S1: asks the classifier and trusts nothing but an object whose `kind` is exactly `'parallel'`. */
export function classify<Call>(classifier: { mode(call: Call): unknown }, call: Call): ExecutionMode {
  try {
    const answer = classifier.mode(call)
    if (typeof answer !== 'object' || answer === null) return exclusive
    if (isThenable(answer)) {
      dropRejection(answer)
      return exclusive
    }
    const { kind, key } = answer as { kind?: unknown; key?: unknown }
    if (kind !== 'parallel') return exclusive
    if (key === undefined) return parallel
    return typeof key === 'string' ? { kind: 'parallel', key } : exclusive
  } catch {
    return exclusive
  }
}
