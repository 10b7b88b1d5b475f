import { isThenable } from './thenable.js'

/** Asks foreign code that has no say. Answers `undefined` if it throws; a promise that it answers cannot reject unhandled. */
export function contained<Answer>(ask: () => Answer): Answer | undefined {
  try {
    const answer = ask()
    dropRejection(answer)
    return answer
  } catch {
    return undefined
  }
}

/** Makes sure that what may be a promise which nobody awaits cannot end as an unhandled rejection. */
export function dropRejection(value: unknown): void {
  if (isThenable(value)) Promise.resolve(value).catch(() => undefined)
}
