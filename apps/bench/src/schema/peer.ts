/** What a peer is asked to validate. Objects are open: undeclared properties are accepted. */
export type Subject = 'arguments' | 'rows' | 'tagged' | 'json'

/** A compiled check. */
export interface Checker {
  /** Whether the value fits. */
  readonly check: (value: unknown) => boolean
  /** How many things are wrong with it, once every one of them has been found. */
  readonly errors: (value: unknown) => number
}

/** A validator library under comparison. */
export interface Peer {
  readonly name: string
  /** Whether it generates code: `no`, `yes`, or only for the speed that is shown. */
  readonly needsEval: 'no' | 'yes' | 'for this speed'
  readonly note?: string
  /** Why it cannot run here. It is listed all the same. */
  readonly failure?: string
  /** Compiles from scratch on every call, from a definition made anew. */
  readonly compile: (subject: Subject) => Checker
}
