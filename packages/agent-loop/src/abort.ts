/**
 * Waiting that an abort ends at once, whatever the other side does. Each wait adds one listener to the signal and takes
 * it away when it is over; what is abandoned may still reject, and that rejection goes nowhere.
 */

/** Resolves or rejects with `work`, or rejects with the signal's reason once it aborts. */
export async function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const gate = openGate(signal)
  try {
    return await gate.pass(work)
  } finally {
    gate.close()
  }
}

/**
 * Gives every item of `stream` to `take`, until the stream ends. Rejects as the stream does, or once the signal aborts;
 * an item that comes after the abort is not taken.
 */
export async function takeEach<T>(
  stream: AsyncIterable<T>,
  signal: AbortSignal,
  take: (item: T) => void,
): Promise<void> {
  const gate = openGate(signal)
  let iterator: AsyncIterator<T> | undefined
  try {
    signal.throwIfAborted()
    iterator = stream[Symbol.asyncIterator]()
    for (;;) {
      const next = await gate.pass(iterator.next())
      if (next.done === true) return
      signal.throwIfAborted()
      take(next.value)
    }
  } catch (error) {
    if (iterator !== undefined) drop(stop(iterator))
    throw error
  } finally {
    gate.close()
  }
}

/** Resolves after `delayMs`, or rejects once the signal aborts. */
export function delay(delayMs: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const elapsed = new Promise<void>(resolve => (timer = setTimeout(resolve, delayMs)))
  return untilAborted(elapsed, signal).finally(() => clearTimeout(timer))
}

interface Gate {
  pass<T>(work: PromiseLike<T>): Promise<T>
  close(): void
}

function openGate(signal: AbortSignal): Gate {
  let reject: ((reason: unknown) => void) | undefined
  const onAbort = (): void => reject?.(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    pass(work) {
      if (signal.aborted) {
        drop(work)
        return Promise.reject(signal.reason as Error)
      }
      return new Promise((resolve, rejectPass) => {
        reject = rejectPass
        work.then(resolve, rejectPass)
      })
    },
    close: () => signal.removeEventListener('abort', onAbort),
  }
}

async function stop(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.()
}

function drop(work: PromiseLike<unknown>): void {
  work.then(undefined, () => undefined)
}
