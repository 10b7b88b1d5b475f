import { expect, it } from 'vitest'
import { CallOrder, type CallMode } from './call-order.js'

const exclusive: CallMode = { kind: 'exclusive' }
const parallel: CallMode = { kind: 'parallel' }
const keyed = (key: string): CallMode => ({ kind: 'parallel', key })

/** Calls that run until they are told to end. */
function bench() {
  const order = new CallOrder()
  const running = new Map<string, () => void>()
  const settled = () => new Promise(resolve => setImmediate(resolve))
  return {
    call: (name: string, mode: CallMode, signal?: AbortSignal) =>
      order.run(
        mode,
        signal,
        () =>
          new Promise<string>(resolve => {
            running.set(name, () => {
              running.delete(name)
              resolve(name)
            })
          }),
      ),
    running: async () => {
      await settled()
      return [...running.keys()]
    },
    end: (name: string) => running.get(name)?.(),
  }
}

it('O1: an exclusive call runs alone, in its place', async () => {
  const { call, running, end } = bench()
  const calls = [call('a', parallel), call('b', exclusive), call('c', parallel), call('d', parallel)]
  expect(await running()).toEqual(['a'])
  end('a')
  expect(await running()).toEqual(['b'])
  end('b')
  expect(await running()).toEqual(['c', 'd'])
  end('c')
  end('d')
  expect(await Promise.all(calls)).toEqual(['a', 'b', 'c', 'd'])
})

it('O2: calls with one key take turns, and others pass them', async () => {
  const { call, running, end } = bench()
  void call('a', keyed('k'))
  void call('b', keyed('k'))
  void call('c', keyed('other'))
  void call('d', parallel)
  expect(await running()).toEqual(['a', 'c', 'd'])
  end('a')
  expect(await running()).toEqual(['c', 'd', 'b'])
})

it('O3: a call that is aborted waits no longer', async () => {
  const { call, running } = bench()
  const controller = new AbortController()
  void call('a', exclusive)
  void call('b', exclusive, controller.signal)
  void call('c', exclusive, AbortSignal.abort())
  expect(await running()).toEqual(['a', 'c'])
  controller.abort()
  expect(await running()).toEqual(['a', 'c', 'b'])
})

it('goes on after a call that failed', async () => {
  const order = new CallOrder()
  const failed = order.run(exclusive, undefined, () => Promise.reject(new Error('boom')))
  const next = order.run(exclusive, undefined, () => Promise.resolve('next'))
  await expect(failed).rejects.toThrow('boom')
  expect(await next).toBe('next')
})
