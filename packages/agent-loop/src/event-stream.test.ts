import { describe, expect, it, vi } from 'vitest'
import type { AgentEvent } from './agent-events.js'
import { createEmitter } from './emitter.js'
import { createEventStream } from './event-stream.js'

const progress = (update: number): AgentEvent => ({ type: 'tool-progress', callId: 'a', update })

describe('the event stream', () => {
  it('hands over what was buffered, then what comes, then ends', async () => {
    const stream = createEventStream({}, () => undefined)
    stream.push(progress(1))
    expect(await stream.events.next()).toEqual({ done: false, value: progress(1) })
    const waiting = stream.events.next()
    stream.push(progress(2))
    expect(await waiting).toEqual({ done: false, value: progress(2) })
    stream.push(progress(3))
    stream.end()
    stream.push(progress(4))
    expect(await stream.events.next()).toEqual({ done: false, value: progress(3) })
    expect(await stream.events.next()).toEqual({ done: true, value: undefined })
  })

  it('ends a reader that waits', async () => {
    const stream = createEventStream({}, () => undefined)
    const waiting = stream.events.next()
    stream.end()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  it('drops the oldest for a reader that is too slow, and says how many', async () => {
    const stream = createEventStream({ maxBuffered: 2 }, () => undefined)
    for (let update = 0; update < 5000; update++) stream.push(progress(update))
    expect(await stream.events.next()).toEqual({ done: false, value: { type: 'lagged', dropped: 4998 } })
    expect(await stream.events.next()).toEqual({ done: false, value: progress(4998) })
    expect(await stream.events.next()).toEqual({ done: false, value: progress(4999) })
  })

  it('is closed by a reader that leaves', async () => {
    const onClose = vi.fn()
    const stream = createEventStream({}, onClose)
    stream.push(progress(1))
    stream.push(progress(2))
    for await (const event of stream.events) {
      expect(event).toEqual(progress(1))
      break
    }
    expect(onClose).toHaveBeenCalledOnce()
    expect(await stream.events.next()).toEqual({ done: true, value: undefined })
  })
})

describe('the emitter', () => {
  it('tells every listener of an event before anyone of the next', () => {
    const { emit, on, onAny } = createEmitter()
    const heard: string[] = []
    on('status', ({ status }) => {
      heard.push(`a ${status}`)
      if (status === 'idle') emit({ type: 'status', status: 'running' })
    })
    onAny(event => void heard.push(`b ${event.type === 'status' ? event.status : event.type}`))
    emit({ type: 'status', status: 'idle' })
    expect(heard).toEqual(['a idle', 'b idle', 'a running', 'b running'])
  })

  it('contains what a listener throws, and reports it once', () => {
    const { emit, on } = createEmitter()
    const errors: unknown[] = []
    on('status', () => {
      throw new Error('listener')
    })
    on('error', ({ error }) => {
      errors.push(error)
      throw new Error('a listener for errors')
    })
    emit({ type: 'status', status: 'idle' })
    expect(errors).toEqual([new Error('listener')])
  })

  it('tells nobody who left', () => {
    const { emit, on } = createEmitter()
    const listener = vi.fn()
    on('status', listener)()
    emit({ type: 'status', status: 'idle' })
    expect(listener).not.toHaveBeenCalled()
  })
})
