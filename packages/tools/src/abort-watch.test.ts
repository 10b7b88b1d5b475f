import { expect, it, vi } from 'vitest'
import { AbortWatch } from './abort-watch.js'

function setUp() {
  const controller = new AbortController()
  const add = vi.spyOn(controller.signal, 'addEventListener')
  const remove = vi.spyOn(controller.signal, 'removeEventListener')
  const listening = () => add.mock.calls.length - remove.mock.calls.length
  const told: string[] = []
  const watch = new AbortWatch()
  const wait = (name: string) => watch.once(controller.signal, () => told.push(name))
  return { controller, told, wait, listening, watch }
}

it('tells all who wait, in the order in which they came, through one listener', () => {
  const { controller, told, wait, listening } = setUp()
  for (const name of ['a', 'b', 'c']) wait(name)
  expect(listening()).toBe(1)
  controller.abort()
  expect(told).toEqual(['a', 'b', 'c'])
})

it.each(['a', 'b', 'c'])('does not tell %s who has left, and leaves twice without harm', left => {
  const { controller, told, wait, listening } = setUp()
  const leave = new Map(['a', 'b', 'c'].map(name => [name, wait(name)]))
  leave.get(left)?.()
  leave.get(left)?.()
  expect(listening()).toBe(1)
  controller.abort()
  expect(told).toEqual(['a', 'b', 'c'].filter(name => name !== left))
})

it('leaves no listener when all have left, and listens again for the next, whoever leaves twice', () => {
  const { controller, told, wait, listening } = setUp()
  const leave = wait('a')
  leave()
  expect(listening()).toBe(0)
  wait('b')
  leave()
  expect(listening()).toBe(1)
  controller.abort()
  expect(told).toEqual(['b'])
})

it('does not tell who leaves because another was told', () => {
  const { controller, told, wait, watch } = setUp()
  watch.once(controller.signal, () => leave())
  const leave = wait('b')
  wait('c')
  controller.abort()
  expect(told).toEqual(['c'])
})

it('tells at once of an abort that has been', () => {
  const { controller, told, wait, listening } = setUp()
  controller.abort()
  wait('late')()
  expect(told).toEqual(['late'])
  expect(listening()).toBe(0)
})

it('keeps signals apart', () => {
  const [first, second] = [setUp(), new AbortController()]
  first.wait('a')
  first.watch.once(second.signal, () => first.told.push('other'))
  second.abort()
  expect(first.told).toEqual(['other'])
})
