import type { AgentEvent } from './agent-events.js'

export type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>

/** Hands events to listeners: each listener isolated from the others, each event to all of them before the next. */
export interface Emitter {
  readonly emit: (event: AgentEvent) => void
  readonly on: <Type extends AgentEvent['type']>(
    type: Type,
    listener: (event: EventOf<Type>) => void,
  ) => () => void
  readonly onAny: (listener: (event: AgentEvent) => void) => () => void
}

interface Listener {
  readonly type: AgentEvent['type'] | undefined
  readonly hear: (event: AgentEvent) => void
}

export function createEmitter(): Emitter {
  const listeners = new Set<Listener>()
  const queue: AgentEvent[] = []
  let telling = false

  function add(listener: Listener): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  function emit(event: AgentEvent): void {
    queue.push(event)
    if (telling) return
    telling = true
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      for (const listener of listeners) tell(listener, next)
    }
    telling = false
  }

  function tell({ type, hear }: Listener, event: AgentEvent): void {
    if (type !== undefined && type !== event.type) return
    try {
      hear(event)
    } catch (error) {
      // What a listener for errors throws has nowhere left to go.
      if (event.type !== 'error') queue.push({ type: 'error', error })
    }
  }

  return {
    emit,
    on: (type, listener) => add({ type, hear: listener as Listener['hear'] }),
    onAny: hear => add({ type: undefined, hear }),
  }
}
