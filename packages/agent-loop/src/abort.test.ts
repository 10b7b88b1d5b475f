import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { delay, takeEach, untilAborted } from './abort.js'

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

describe('waiting that an abort ends', () => {
  it('passes values and errors through, and leaves no listener', async () => {
    const { signal } = new AbortController()
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1)
    await expect(untilAborted(Promise.reject(new Error('bad')), signal)).rejects.toThrow('bad')
    expect(listeners(signal)).toBe(0)
  })

  it('rejects with the reason, though the other side never settles', async () => {
    const controller = new AbortController()
    const waiting = untilAborted(new Promise(() => undefined), controller.signal)
    controller.abort(new Error('stop'))
    await expect(waiting).rejects.toThrow('stop')
    await expect(untilAborted(Promise.reject(new Error('late')), controller.signal)).rejects.toThrow('stop')
    expect(listeners(controller.signal)).toBe(0)
  })

  it('ends a delay, timer and all', async () => {
    vi.useFakeTimers()
    try {
      const controller = new AbortController()
      const waiting = delay(1000, controller.signal)
      expect(vi.getTimerCount()).toBe(1)
      controller.abort(new Error('stop'))
      await expect(waiting).rejects.toThrow('stop')
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('takeEach', () => {
  it('takes every item in order, with one listener while it lasts', async () => {
    const { signal } = new AbortController()
    const taken: number[] = []
    const counts = new Set<number>()
    async function* stream() {
      for (const item of [1, 2, 3]) {
        counts.add(listeners(signal))
        yield await Promise.resolve(item)
      }
    }
    await takeEach(stream(), signal, item => taken.push(item))
    expect(taken).toEqual([1, 2, 3])
    expect([...counts]).toEqual([1])
    expect(listeners(signal)).toBe(0)
  })

  it('does not wait for a stream that ignores the abort, and tells it to stop', async () => {
    const controller = new AbortController()
    const onReturn = vi.fn(() => Promise.reject(new Error('nobody hears this')))
    const stream: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined), return: onReturn }),
    }
    const taking = takeEach(stream, controller.signal, () => undefined)
    controller.abort(new Error('stop'))
    await expect(taking).rejects.toThrow('stop')
    expect(onReturn).toHaveBeenCalledOnce()
    expect(listeners(controller.signal)).toBe(0)
  })

  it('does not take an item that comes after the abort', async () => {
    const controller = new AbortController()
    const taken: number[] = []
    async function* stream() {
      yield await Promise.resolve(1)
      controller.abort(new Error('stop'))
      yield 2
    }
    await expect(takeEach(stream(), controller.signal, item => taken.push(item))).rejects.toThrow('stop')
    expect(taken).toEqual([1])
  })

  it('opens no stream after the abort', async () => {
    const open = vi.fn()
    const stream = { [Symbol.asyncIterator]: open } as unknown as AsyncIterable<number>
    await expect(takeEach(stream, AbortSignal.abort(new Error('stop')), () => undefined)).rejects.toThrow(
      'stop',
    )
    expect(open).not.toHaveBeenCalled()
  })
})
