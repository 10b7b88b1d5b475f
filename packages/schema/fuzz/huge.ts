import { compileSchema, type JsonSchemaNode } from '../src/index.js'
import { pick, type Random, seededRandom } from './generate.js'
import { verdictOf } from './verdict.js'

const levels = 1_000_000
const width = 100_000

type Wrap = (value: unknown, level: number) => unknown
const wraps: readonly [Wrap, ...Wrap[]] = [
  value => [value],
  value => ({ next: value }),
  (value, level) => (level % 2 === 0 ? [value] : { next: value }),
]

function nest(random: Random, innermost: unknown, depth: number): unknown {
  const wrap = pick(random, wraps)
  let value = innermost
  for (let level = 0; level < depth; level++) value = wrap(value, level)
  return value
}

/** A slot that takes any JSON, as it is and in every place where a schema can put it. */
const anySlots: readonly [JsonSchemaNode, ...JsonSchemaNode[]] = [
  {},
  { type: 'object', properties: { next: {} } },
  { type: 'object' },
  { oneOf: [{ type: 'object' }, { type: 'array' }] },
  { oneOf: [{ type: 'array', items: {} }, { type: 'object' }, { type: 'string' }] },
]

interface Case {
  readonly name: string
  readonly schema: JsonSchemaNode
  readonly value: unknown
  readonly expected: boolean
}

type MakeCase = (random: Random, isGood: boolean) => Case

const makers: readonly [MakeCase, ...MakeCase[]] = [
  (random, expected) => ({
    name: 'a million levels of any JSON',
    schema: { type: 'object', properties: { slot: pick(random, anySlots) } },
    value: {
      slot: { next: nest(random, expected ? 'x' : pick<unknown>(random, [NaN, -0, undefined, 1n]), levels) },
    },
    expected,
  }),
  (random, expected) => {
    // Compiling so deep a schema takes seconds: mostly a tenth of it will do.
    const depth = random.below(4) === 0 ? levels : levels / 10
    const isArray = random.below(2) === 0
    let schema: JsonSchemaNode = { type: 'integer' }
    let value: unknown = expected ? 1 : 'x'
    for (let level = 0; level < depth; level++) {
      schema = isArray
        ? { type: 'array', items: schema }
        : { type: 'object', properties: { next: schema }, required: ['next'], additionalProperties: false }
      value = isArray ? [value] : { next: value }
    }
    return { name: `${depth} levels under a schema`, schema, value, expected }
  },
  (random, expected) => {
    const value: Record<string, unknown> = {}
    for (let index = 0; index < width; index++) value[`key ${index}`] = index
    value['last'] = expected ? 1 : pick<unknown>(random, [NaN, 'a\ud800', [undefined]])
    return { name: '100 000 keys', schema: pick(random, [{}, { type: 'object' }] as const), value, expected }
  },
  (random, expected) => {
    const names = Array.from({ length: width }, (_, index) => `key ${index}`)
    const schema: JsonSchemaNode = {
      type: 'object',
      properties: Object.fromEntries(names.map(name => [name, { type: 'integer' }])),
      required: names,
      additionalProperties: false,
    }
    const value = Object.fromEntries(names.map(name => [name, 1]))
    if (!expected) value[pick(random, ['more', 'key 7'])] = 0.5
    return { name: '100 000 declared keys', schema, value, expected }
  },
  (random, expected) => {
    const value: unknown[] = Array.from({ length: levels }, (_, index) => index)
    if (!expected) value[random.below(levels)] = 'x'
    return { name: 'a million items', schema: { type: 'array', items: { type: 'integer' } }, value, expected }
  },
  random => {
    const loop: Record<string, unknown> = {}
    loop['next'] = nest(random, loop, 1 + random.below(levels))
    return { name: 'a cycle of up to a million levels', schema: {}, value: loop, expected: false }
  },
  (_, expected) => {
    let schema: JsonSchemaNode = { type: 'integer' }
    let value: unknown = expected ? 1 : 1.5
    for (let level = 0; level < 25; level++) {
      schema = { type: 'object', properties: { left: schema, right: schema }, additionalProperties: false }
      value = { left: value, right: value }
    }
    return { name: 'a tower of 25 under a schema', schema, value, expected }
  },
]

/** Checks one huge value, of the kind whose turn it is; returns how many were judged. */
export function hugeOnce(seed: number, turn: number): number {
  const random = seededRandom(seed)
  const make = makers[turn % makers.length] ?? makers[0]
  const { name, schema, value, expected } = make(random, random.below(2) === 0)
  try {
    const verdict = verdictOf(compileSchema(schema), value)
    if (verdict !== expected) throw new Error(`expected ${expected}, found ${verdict}`)
  } catch (cause) {
    throw new Error(`${name}: seed ${seed}`, { cause })
  }
  return 1
}
