import type { AgentEvent } from './agent-events.js'

/** How `agent.events()` buffers. */
export interface EventStreamOptions {
  /** How many events may wait for the reader before the oldest are dropped. Default 10 000. */
  readonly maxBuffered?: number
}

/** The writer's end of one reader's events. */
export interface EventStream {
  readonly events: AsyncIterableIterator<AgentEvent>
  readonly push: (event: AgentEvent) => void
  /** Ends the iteration after what is buffered. */
  readonly end: () => void
}

/** A buffer between an agent, which never waits, and one reader, which may. `onClose` runs when the reader leaves. */
export function createEventStream(
  { maxBuffered = 10_000 }: EventStreamOptions,
  onClose: () => void,
): EventStream {
  let buffer: AgentEvent[] = []
  let head = 0
  let dropped = 0
  let ended = false
  let waiting: ((result: IteratorResult<AgentEvent, undefined>) => void)[] = []

  function take(): AgentEvent | undefined {
    if (dropped > 0) {
      const lagged: AgentEvent = { type: 'lagged', dropped }
      dropped = 0
      return lagged
    }
    const event = buffer[head]
    if (event === undefined) return undefined
    head++
    compact()
    return event
  }

  function compact(): void {
    if (head < 1024 || head * 2 < buffer.length) return
    buffer = buffer.slice(head)
    head = 0
  }

  function end(): void {
    ended = true
    for (const resolve of waiting) resolve({ done: true, value: undefined })
    waiting = []
  }

  return {
    push(event) {
      if (ended) return
      const resolve = waiting.shift()
      if (resolve !== undefined) {
        resolve({ done: false, value: event })
        return
      }
      buffer.push(event)
      if (buffer.length - head > maxBuffered) {
        head++
        dropped++
        compact()
      }
    },
    end,
    events: {
      [Symbol.asyncIterator]() {
        return this
      },
      next() {
        const event = take()
        if (event !== undefined) return Promise.resolve({ done: false, value: event })
        if (ended) return Promise.resolve({ done: true, value: undefined })
        return new Promise(resolve => waiting.push(resolve))
      },
      return() {
        onClose()
        buffer = []
        head = 0
        dropped = 0
        end()
        return Promise.resolve({ done: true, value: undefined })
      },
    },
  }
}
