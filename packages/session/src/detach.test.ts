import type { JsonValue } from '@agent-spine/schema'
import { describe, expect, it } from 'vitest'
import { openSession, replaySession } from './create-session.js'
import { adopt } from './detach.js'
import { EventRefusedError } from './errors.js'
import type { SessionEvent } from './event.js'
import { memoryStore } from './memory-store.js'

function append(data: unknown) {
  return replaySession([], { eventTypes: ['test/data'] }).append(
    'test/data' as 'session/owner',
    data as never,
  )
}

function nested(levels: number): unknown {
  return Array.from({ length: levels - 1 }).reduce<unknown>(inner => [inner], [])
}

class Point {
  readonly x = 1
}

describe('D1: data is lossless JSON or refused', () => {
  it.each([
    ['undefined', { a: undefined }],
    ['NaN', { a: Number.NaN }],
    ['Infinity', { a: -Infinity }],
    ['minus zero', { a: -0 }],
    ['a bigint', { a: 1n }],
    ['a function', { a: () => 1 }],
    ['a symbol key', { [Symbol('s')]: 1 }],
    ['a date', { a: new Date(0) }],
    ['a map', { a: new Map() }],
    ['an instance', { a: new Point() }],
    // eslint-disable-next-line no-sparse-arrays -- a hole is what this is about
    ['a hole', { a: [1, , 2] }],
    [
      'a throwing getter',
      Object.defineProperty({}, 'a', {
        enumerable: true,
        get: () => {
          throw new Error('x')
        },
      }),
    ],
    ['a revoked proxy', revoked()],
    ['nothing', undefined],
  ])('refuses %s', (_, data) => {
    expect(() => append(data)).toThrow(EventRefusedError)
    expect(() => append(data)).toThrow('test/data at seq 0 is refused: data')
  })

  it('keeps what JSON keeps', () => {
    const data = JSON.parse('{"__proto__":{"a":1},"toString":2,"x":["\\ud800",1e21,null,{}],"":0}') as object
    const event = append(data)
    expect(JSON.stringify(event.data)).toBe(JSON.stringify(data))
    expect(Object.getPrototypeOf(event.data)).toBe(Object.prototype)
  })
})

describe('D2: bounds that any store can keep', () => {
  it('takes 1000 levels and refuses 1001', () => {
    expect(JSON.stringify(append(nested(1000)).data)).toBe('['.repeat(1000) + ']'.repeat(1000))
    expect(() => append(nested(1001))).toThrow('at most 1000 levels')
    expect(() => append(nested(100_000))).toThrow('at most 1000 levels')
  })

  it('refuses a cycle', () => {
    const cycle: unknown[] = []
    cycle.push({ cycle })
    expect(() => append(cycle)).toThrow('circular')
  })

  it('counts a shared object as often as its text would repeat it', () => {
    const shared = (levels: number) =>
      Array.from({ length: levels }).reduce<unknown>(inner => ({ left: inner, right: inner }), 'leaf')
    expect(append(shared(10)).seq).toBe(0)
    expect(() => append(shared(30))).toThrow('at most 10000000 values')
  })
})

describe('D3: what was just parsed is frozen where it is, and held to the same', () => {
  const parse = (text: string) => JSON.parse(text) as JsonValue

  it('is no copy, and frozen at every level', () => {
    const parsed = parse('{"a":[1,{"b":null}],"__proto__":{"c":"d"}}')
    expect(adopt(parsed)).toBe(parsed)
    expect(JSON.stringify(parsed)).toBe('{"a":[1,{"b":null}],"__proto__":{"c":"d"}}')
    const { a, ['__proto__']: own } = parsed as { a: readonly unknown[]; ['__proto__']: unknown }
    expect([parsed, a, a[1], own].map(Object.isFrozen)).toEqual([true, true, true, true])
  })

  it('is refused where the log could not write it as it was read', () => {
    for (const text of ['[-0]', '{"a":[1e999]}']) {
      expect(() => adopt(parse(text))).toThrow(
        expect.objectContaining({ code: 'NOT_LOSSLESS_JSON' }) as Error,
      )
    }
  })

  it('has the same bounds', () => {
    const nest = (levels: number) => parse('['.repeat(levels) + ']'.repeat(levels))
    adopt(nest(1000))
    expect(() => adopt(nest(1001))).toThrow('at most 1000 levels')
  })

  it('is held to the shape of its type, and nothing of it is trusted', async () => {
    const opened = (events: string) => {
      const store = memoryStore()
      return openSession(
        {
          ...store,
          open: () =>
            Promise.resolve({
              header: { id: 's', createdAt: 0 },
              events: JSON.parse(events) as SessionEvent[],
              log: {
                append: () => undefined,
                flush: () => Promise.resolve(),
                close: () => Promise.resolve(),
              },
              isParsed: true,
            }),
        },
        's',
      )
    }
    const start = '{"seq":0,"time":1,"type":"turn/start","data":{"turn":0}}'
    const session = await opened(`[${start}]`)
    expect(session.events[0]).toEqual(JSON.parse(start))
    expect(Object.isFrozen(session.events[0]?.data)).toBe(true)
    await expect(opened(`[${start.replace('"turn":0', '"turn":"0"')}]`)).rejects.toMatchObject({
      code: 'INVALID_EVENT',
    })
    await expect(opened(`[${start.replace('"turn":0', '"turn":-0')}]`)).rejects.toMatchObject({
      code: 'INVALID_EVENT',
    })
    await expect(opened('[{"seq":0,"time":1,"type":"turn/start"}]')).rejects.toMatchObject({
      code: 'INVALID_EVENT',
    })
  })
})

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return { a: proxy }
}
