import { InvalidSessionIdError } from './errors.js'

const pattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/

/** Throws `InvalidSessionIdError` unless `id` is safe as a file name: every store calls it before the id touches a path. */
export function assertSessionId(id: unknown): asserts id is string {
  if (typeof id !== 'string' || !pattern.test(id)) throw new InvalidSessionIdError(id)
}
