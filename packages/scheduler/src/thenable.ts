/** Whether a value is to be awaited. A value that is not costs no microtask, so callers ask before they `await`. */
export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<PromiseLike<Value>>).then === 'function'
  )
}

/** Makes sure that a promise which nobody will await cannot end as an unhandled rejection. */
export function dropRejection(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => undefined)
}
