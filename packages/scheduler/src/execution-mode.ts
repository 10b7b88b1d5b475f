/**
 * How a call may run beside its siblings. `parallel` calls overlap; two of them with the same `key` do not.
 * An `exclusive` call runs alone: after everything before it has committed, before anything after it starts.
 */
export type ExecutionMode =
  { readonly kind: 'parallel'; readonly key?: string } | { readonly kind: 'exclusive' }
