import { resultMessage } from '@agent-spine/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attempt } from '../test/conversation.js'
import { detach } from './detach.js'
import { detachLean } from './detach-lean.js'
import { dataProblem } from './event-shape.js'

const text = { type: 'text', text: 'done' }
const step = { turn: 1, step: 2 }

/** What each type takes the short way. */
const plain = {
  'assistant/chunk': { ...attempt, chunk: { type: 'text-delta', index: 0, text: 'x' } },
  'tool/call': { ...step, callId: 'c', name: '', arguments: '{}' },
  'tool/dispatch': { callId: 'c' },
  'tool/result': {
    ...step,
    message: {
      id: 'result_c',
      role: 'user',
      source: { kind: 'tool', callId: 'c' },
      content: [{ type: 'tool-result', toolCallId: 'c', content: [text] }],
    },
  },
} as const

const cases = Object.entries<object>(plain)

/** Every object within `value`, itself included, with the path to it. */
function objectsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return [path, ...Object.entries(value).flatMap(([key, child]) => objectsIn(child, [...path, key]))]
}

function at(value: unknown, path: readonly string[]): object {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value) as object
}

/** A copy of `value` in which `change` has been made of the object at `path`. */
function changed(value: object, path: readonly string[], change: (object: object) => object): object {
  const [key, ...rest] = path
  if (key === undefined) return change(structuredClone(value))
  const copy = structuredClone(value) as Record<string, object>
  copy[key] = changed(copy[key] ?? {}, rest, change)
  return copy
}

const everywhere = cases.flatMap(([type, data]) =>
  objectsIn(data).map(path => ({ type, data, path, where: path.join('.') || 'the top' })),
)

describe('E1: the short way answers what the general way would', () => {
  it.each(cases)('takes the plain data of %s, copied and frozen at every level', (type, data) => {
    const detached = detachLean(type, data)
    expect(detached).toEqual(data)
    expect(JSON.stringify(detached)).toBe(JSON.stringify(data))
    for (const path of objectsIn(data)) {
      expect(at(detached, path), path.join('.')).not.toBe(at(data, path))
      expect(Object.isFrozen(at(detached, path)), path.join('.')).toBe(true)
    }
  })

  it('takes the message that every part of the spine writes', () => {
    const message = resultMessage('c', { content: [{ type: 'text', text: 'done' }] })
    expect(detachLean('tool/result', { ...step, message })).toEqual({ ...step, message })
  })

  it.each(everywhere)(
    'never takes $type that it shares, also where $where is frozen',
    ({ type, data, path }) => {
      const frozen = changed(data, path, object => Object.freeze(object))
      const detached = detachLean(type, frozen)
      expect(detached).toEqual(data)
      for (const inner of objectsIn(data)) expect(at(detached, inner)).not.toBe(at(frozen, inner))
    },
  )

  it('agrees with the general way on whatever differs from the plain case in one value', () => {
    const odd = fc.constantFrom<unknown[]>(
      ...[undefined, null, -0, 0, 1, 0.5, -1, Number.NaN, 2 ** 53, '', 'c', 'user', 'text', true, {}, [], 1n],
    )
    const keys = fc.constantFrom(
      ...new Set(everywhere.flatMap(({ data, path }) => Object.keys(at(data, path)))),
      'more',
      'isError',
      'error',
      'meta',
      'skipped',
      'providerId',
      '1',
    )
    fc.assert(
      fc.property(fc.constantFrom(...everywhere), keys, odd, ({ type, data, path }, key, value) => {
        const varied = changed(data, path, object =>
          Object.defineProperty(object, key, {
            value,
            enumerable: true,
            configurable: true,
            writable: true,
          }),
        )
        const lean = detachLean(type, varied)
        if (lean === undefined) return
        const general = detach(varied)
        expect(dataProblem(type, general)).toBeUndefined()
        expect(JSON.stringify(lean)).toBe(JSON.stringify(general))
        expect(lean).toEqual(general)
      }),
      { numRuns: 3000 },
    )
  })
})

class Instance {
  readonly isInstance = true
}

describe('E2: what is not exactly plain is left to the general way', () => {
  const changes: [string, (object: object) => object][] = [
    ['a symbol key', object => Object.assign(object, { [Symbol('s')]: 1 })],
    ['a hidden property', object => Object.defineProperty(object, 'hidden', { value: 1 })],
    ['a further property', object => Object.assign(object, { more: 1 })],
    ['another prototype', object => Object.setPrototypeOf(object, Instance.prototype) as object],
    ['no prototype', object => Object.setPrototypeOf(object, null) as object],
    ['a throwing proxy', () => revoked()],
  ]
  const all = everywhere.flatMap(place => changes.map(([change, apply]) => ({ ...place, change, apply })))

  it.each(all)('$type with $change at $where', ({ type, data, path, apply }) => {
    const varied = changed(data, path, apply)
    let lean: unknown
    try {
      lean = detachLean(type, varied)
    } catch {
      // As good: what throws here is refused.
    }
    expect(lean).toBeUndefined()
  })

  it.each<[string, string, unknown]>([
    ['another chunk', 'assistant/chunk', { ...attempt, chunk: { type: 'usage', index: 0, text: 'x' } }],
    [
      'text that is none',
      'assistant/chunk',
      { ...attempt, chunk: { type: 'text-delta', index: 0, text: 5 } },
    ],
    ['minus zero', 'assistant/chunk', { ...plain['assistant/chunk'], step: -0 }],
    ['a call without an id', 'tool/call', { ...plain['tool/call'], callId: '' }],
    ['a dispatch without an id', 'tool/dispatch', { callId: '' }],
    [
      'a result of another call',
      'tool/result',
      changed(plain['tool/result'], ['message', 'source'], source => ({ ...source, callId: 'd' })),
    ],
    [
      'a hole for a block',
      'tool/result',
      changed(plain['tool/result'], ['message', 'content'], () => new Array<object>(1)),
    ],
    [
      'two blocks',
      'tool/result',
      changed(plain['tool/result'], ['message', 'content', '0', 'content'], () => [text, text]),
    ],
    ['no object', 'tool/dispatch', 'text'],
    ['null', 'tool/dispatch', null],
    ['another type', 'turn/start', { turn: 0 }],
  ])('%s', (_, type, data) => {
    expect(detachLean(type, data)).toBeUndefined()
  })
})

describe('E3: every property is read once', () => {
  it.each(everywhere)('$type, $where', ({ type, data, path }) => {
    const reads = new Map<PropertyKey, number>()
    const watched = changed(
      data,
      path,
      object =>
        new Proxy(object, {
          get(target, key, receiver) {
            reads.set(key, (reads.get(key) ?? 0) + 1)
            return Reflect.get(target, key, receiver) as unknown
          },
        }),
    )
    expect(detachLean(type, watched)).toEqual(data)
    expect([...reads.values()].every(count => count === 1)).toBe(true)
    expect(reads.size).toBeGreaterThan(0)
  })

  it('so a getter that changes its mind decides once, in a frozen object too', () => {
    let reads = 0
    const block = Object.freeze(
      Object.defineProperty({ type: 'text' }, 'text', { enumerable: true, get: () => `read ${++reads}` }),
    )
    const detached = detachLean(
      'tool/result',
      changed(plain['tool/result'], ['message', 'content', '0', 'content'], () => Object.freeze([block])),
    )
    expect(JSON.stringify(detached)).toContain('"text":"read 1"')
    expect(JSON.stringify(detached)).toContain('"text":"read 1"')
    expect(reads).toBe(1)
  })
})

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
