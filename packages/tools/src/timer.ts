/** Starts a timer; the returned function stops it. */
export type StartTimer = (expire: () => void, delayMs: number) => () => void

/** The default clock. */
export const startTimeout: StartTimer = (expire, delayMs) => {
  const timer = setTimeout(expire, delayMs)
  return () => clearTimeout(timer)
}

/** `setTimeout` fires at once for more than this. */
const maxDelayMs = 2 ** 31 - 1

/** Calls `expire` after `limitMs`, and never for a limit that no timer can hold, such as `Infinity`. */
export function startLimit(startTimer: StartTimer, expire: () => void, limitMs: number): () => void {
  return limitMs > maxDelayMs ? () => undefined : startTimer(expire, limitMs)
}
