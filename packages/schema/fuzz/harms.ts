import { compileSchema } from '../src/index.js'
import { pick, type Random, seededRandom } from './generate.js'
import { otherRealm } from './other-realm.js'

/** Where a harm is done. */
export interface Place {
  readonly random: Random
  /** What is there, of JSON. */
  readonly value: unknown
  /** The containers it is in, from the root. */
  readonly above: readonly object[]
}

/** A way of turning a JSON value into one that no text could give. */
export interface Harm {
  readonly name: string
  readonly make: (place: Place) => unknown
  /**
   * What can be said of the verdict: the reference knows it; a validator may or may not notice; or the value is not the
   * same twice.
   */
  readonly verdict?: 'either' | 'unstable'
  /** It may be refused for its size alone. */
  readonly isEndless?: true
}

const refuse = (): never => {
  throw new Error('no')
}

class Point {
  x = 1
}
class List extends Array<unknown> {}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

function container({ random, value }: Place): Record<string, unknown> | unknown[] {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown> | unknown[]
  return random.below(2) === 0 ? [value] : { a: value }
}

function objectAt(place: Place): Record<string, unknown> {
  const holder = container(place)
  return Array.isArray(holder) ? { a: holder } : holder
}

function arrayAt(place: Place): unknown[] {
  const holder = container(place)
  return Array.isArray(holder) ? holder : [holder]
}

/** Gives one property of the container there a getter. */
function withGetter(place: Place, get: (value: unknown) => unknown): object {
  const holder = container(place)
  const key = Array.isArray(holder) ? '0' : (Object.keys(holder)[0] ?? 'a')
  const value: unknown = Array.isArray(holder) ? holder[0] : holder[key]
  return Object.defineProperty(holder, key, { get: () => get(value), enumerable: true, configurable: true })
}

function chain(levels: number, { random, value }: Place): unknown {
  let nested = value
  const isMixed = random.below(2) === 0
  for (let level = 0; level < levels; level++) nested = isMixed && level % 2 === 0 ? { a: nested } : [nested]
  return nested
}

function tower(levels: number, bottom: unknown): unknown {
  let value = bottom
  for (let level = 0; level < levels; level++)
    value = level % 2 === 0 ? { a: value, b: value } : [value, value]
  return value
}

const replacements: Record<string, () => unknown> = {
  undefined: () => undefined,
  NaN: () => NaN,
  Infinity: () => -Infinity,
  'minus zero': () => -0,
  bigint: () => 10n ** 60n,
  function: () => refuse,
  class: () => Point,
  symbol: () => Symbol('x'),
  'lone surrogate': () => 'a\ud800',
  'lone surrogate in a key': () => ({ 'a\udc00': 1 }),
  Date: () => new Date(0),
  Map: () => new Map([[1, 2]]),
  'class instance': () => new Point(),
  'boxed number': () => Object(1) as unknown,
  'boxed string': () => Object('a') as unknown,
  'typed array': () => new Uint8Array(3),
  RegExp: () => /x/,
  Promise: () => Promise.resolve(1),
  arguments: () =>
    (function () {
      // eslint-disable-next-line prefer-rest-params -- an arguments object is what is wanted
      return arguments
    })(),
  'inherited properties': () => Object.create({ a: 1 }) as unknown,
  'array subclass': () => List.from([1, 2]),
  'revoked Proxy': () => revoked({}),
  'revoked Proxy of an array': () => revoked([]),
  'revoked Proxy of a function': () => revoked(refuse),
  'Proxy of nothing that answers': () => new Proxy({}, new Proxy({}, { get: refuse })),
}

/** Every trap that reading a value could spring, and every one that it must not. */
const traps = [
  'getPrototypeOf',
  'ownKeys',
  'get',
  'has',
  'set',
  'defineProperty',
  'deleteProperty',
  'isExtensible',
  'preventExtensions',
  'setPrototypeOf',
] as const

const lengths = [2 ** 50, 2 ** 32, -1, NaN, 0.5, '1', null, undefined, Infinity]

/** Every way. */
export const harms: readonly [Harm, ...Harm[]] = [
  { name: 'none', make: ({ value }) => value },
  ...Object.entries(replacements).map(([name, make]): Harm => ({ name, make })),
  ...traps.map((trap): Harm => ({
    name: `Proxy whose ${trap} throws`,
    make: place => new Proxy(container(place), { [trap]: refuse }),
  })),
  {
    name: 'Proxy whose getOwnPropertyDescriptor throws',
    make: place => new Proxy(container(place), { getOwnPropertyDescriptor: refuse }),
    verdict: 'either',
  },
  { name: 'Proxy without traps', make: place => new Proxy(container(place), {}) },
  {
    name: 'Proxy with another prototype',
    make: place => new Proxy(container(place), { getPrototypeOf: () => Date.prototype }),
  },
  {
    name: 'Proxy with a key that is not there',
    make: place => new Proxy(container(place), { ownKeys: target => [...Reflect.ownKeys(target), 'no'] }),
  },
  {
    name: 'Proxy with a length that no array has',
    make: place => {
      const length = lengths[place.random.below(lengths.length)]
      return new Proxy(arrayAt(place), {
        get: (target, key): unknown => (key === 'length' ? length : Reflect.get(target, key)),
      })
    },
    isEndless: true,
  },
  { name: 'getter', make: place => withGetter(place, value => value) },
  { name: 'throwing getter', make: place => withGetter(place, refuse) },
  {
    name: 'getter that checks',
    make: place =>
      withGetter(place, value => {
        const inner = compileSchema({ type: 'array', items: { type: 'object', properties: { a: {} } } })
        inner.check([{ a: [1] }, { a: NaN }])
        inner.issues([{ a: [1] }, 1])
        return value
      }),
  },
  { name: 'symbol key', make: place => Object.assign(container(place), { [Symbol('x')]: 1 }) },
  { name: 'hidden property', make: place => Object.defineProperty(container(place), 'no', { value: 1 }) },
  { name: 'decorated array', make: place => Object.assign(arrayAt(place), { extra: 1 }) },
  { name: 'negative index', make: place => Object.assign(arrayAt(place), { '-1': 1 }) },
  {
    name: 'sparse array',
    make: place => {
      const array = [...arrayAt(place), 1]
      Reflect.deleteProperty(array, String(place.random.below(array.length)))
      return array
    },
  },
  {
    name: 'hole made up for by a name',
    make: place => {
      const array = Object.assign([...arrayAt(place), 1], { extra: 1 })
      Reflect.deleteProperty(array, String(place.random.below(array.length)))
      return array
    },
  },
  { name: 'null prototype', make: place => Object.setPrototypeOf(objectAt(place), null) as unknown },
  {
    name: 'prototype of its own',
    make: place => Object.setPrototypeOf(container(place), { b: 1 }) as unknown,
  },
  {
    name: 'array without a prototype',
    make: place => Object.setPrototypeOf(arrayAt(place), null) as unknown,
  },
  { name: 'another realm', make: place => otherRealm.parse(JSON.stringify(container(place))) },
  { name: 'frozen', make: place => Object.freeze(container(place)) },
  {
    name: 'cycle',
    make: place => {
      const target = place.above[place.random.below(place.above.length + 1)]
      if (target !== undefined) return chain(place.random.below(80), { ...place, value: target })
      const loop: Record<string, unknown> = {}
      loop['a'] = chain(place.random.below(80), { ...place, value: loop })
      return loop
    },
  },
  { name: 'shared', make: place => [place.value, place.value] },
  { name: 'levels', make: place => chain(1 + place.random.below(3000), place) },
  {
    name: 'levels over a flaw',
    make: place => chain(1 + place.random.below(200), { ...place, value: pick(place.random, [NaN, -0, 1n]) }),
  },
  { name: 'tower of 25', make: place => tower(25, place.value) },
  { name: 'tower of 25 over a flaw', make: () => tower(25, [NaN]) },
  {
    name: 'two towers of 25, one over a cycle',
    make: () => {
      const loop: unknown[] = []
      loop.push(loop)
      return { a: tower(25, 1), b: tower(25, loop) }
    },
  },
  {
    name: 'getter that changes its mind',
    make: place => {
      let next = place.random.below(5)
      return withGetter(place, value => [value, 'x', null, { a: value }, NaN][next++ % 5])
    },
    verdict: 'unstable',
  },
  {
    name: 'getter that empties what it is in',
    make: place => {
      const holder = container(place)
      return withGetter({ ...place, value: holder }, value => {
        for (const key of Object.keys(holder)) Reflect.deleteProperty(holder, key)
        return value
      })
    },
    verdict: 'unstable',
  },
  {
    name: 'getter that throws now and then',
    make: place => {
      const random = seededRandom(place.random.below(1000))
      return withGetter(place, value => (random.below(2) === 0 ? refuse() : value))
    },
    verdict: 'unstable',
  },
  {
    name: 'endless',
    make: place => {
      const endless = (): unknown => new Proxy(container(place), { get: endlessly })
      const endlessly = (target: object, key: PropertyKey): unknown =>
        key === 'length' ? Reflect.get(target, key) : endless()
      return endless()
    },
    verdict: 'unstable',
  },
]
