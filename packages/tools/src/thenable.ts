import { type Awaitable } from '@agent-spine/scheduler'

/** Whether a value is to be awaited. What is not costs no microtask. Throws what a hostile `then` getter throws. */
export function isThenable<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
