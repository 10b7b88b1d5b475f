import { type JsonSchemaNode } from '../src/index.js'

/** Random schemas of the subset, and random values near them. Driven by a seed, so that a failure can be replayed. */
export interface Random {
  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
    },
  }
}

export function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[random.below(items.length)] ?? items[0]
}

const names = ['a', 'b', 'kind', 'toString', '__proto__', 'x y', 'ü'] as const
const strings = ['', 'a', 'b', 'kind', '1', 'null', '😀', 'toString'] as const
const numbers = [0, 1, -1, 1.5, 2, 1e20, 9007199254740991] as const

export function randomSchema(random: Random, depth = 3): JsonSchemaNode {
  switch (random.below(depth > 0 ? 9 : 6)) {
    case 0:
      return limited(random, 'string', strings)
    case 1:
      return limited(random, 'number', numbers)
    case 2:
      return limited(random, 'integer', [0, 1, -1, 2])
    case 3:
      return limited(random, 'boolean', [true, false])
    case 4:
      return { type: 'null' }
    case 5:
      return random.below(2) === 0 ? {} : { type: random.below(2) === 0 ? 'array' : 'object' }
    case 6:
      return { type: 'array', items: randomSchema(random, depth - 1) }
    case 7:
      return randomObject(random, depth)
    default:
      return random.below(2) === 0 ? randomChoice(random, depth) : randomTagged(random, depth)
  }
}

function limited<T extends string | number | boolean>(
  random: Random,
  type: 'string' | 'number' | 'integer' | 'boolean',
  values: readonly [T, ...T[]],
): JsonSchemaNode {
  const kind = random.below(4)
  if (kind === 0) return { type, const: pick(random, values) }
  if (kind === 1) return { type, enum: [...new Set([pick(random, values), pick(random, values)])] }
  return { type }
}

function randomObject(random: Random, depth: number): JsonSchemaNode {
  const chosen = names.filter(() => random.below(3) === 0)
  const required = chosen.filter(() => random.below(2) === 0)
  return {
    type: 'object',
    properties: Object.fromEntries(chosen.map(name => [name, randomSchema(random, depth - 1)])),
    ...(required.length > 0 && { required }),
    ...(random.below(2) === 0 && { additionalProperties: random.below(2) === 0 }),
  }
}

function randomChoice(random: Random, depth: number): JsonSchemaNode {
  return { oneOf: Array.from({ length: 2 + random.below(3) }, () => randomSchema(random, depth - 1)) }
}

function randomTagged(random: Random, depth: number): JsonSchemaNode {
  const isRequired = random.below(4) > 0
  const branches: JsonSchemaNode[] = (['a', 'b', 'kind'] as const).map(tag => {
    const { properties = {}, ...rest } = randomObject(random, depth)
    return {
      ...rest,
      properties: { ...properties, kind: { type: 'string', const: tag } },
      ...(isRequired && { required: [...new Set([...(rest.required ?? []), 'kind'])] }),
    }
  })
  return { oneOf: random.below(3) === 0 ? [...branches, randomSchema(random, 0)] : branches }
}

/** A value that often fits `schema`, and often almost does. */
export function randomValue(random: Random, schema: JsonSchemaNode, depth = 4): unknown {
  if (random.below(12) === 0 || depth === 0) return randomJson(random, 2)
  if (schema.oneOf !== undefined) {
    return randomValue(random, schema.oneOf[random.below(schema.oneOf.length)] ?? {}, depth - 1)
  }
  if (schema.const !== undefined && random.below(6) > 0) return schema.const
  if (schema.enum !== undefined && random.below(6) > 0) return schema.enum[random.below(schema.enum.length)]
  switch (schema.type) {
    case 'array':
      return Array.from({ length: random.below(4) }, () => randomValue(random, schema.items ?? {}, depth - 1))
    case 'object':
      return randomFilled(random, schema, depth)
    case 'string':
      return pick(random, strings)
    case 'number':
      return pick(random, numbers)
    case 'integer':
      return pick(random, [0, 1, -1, 2, 1.5])
    case 'boolean':
      return random.below(2) === 0
    case 'null':
      return null
    default:
      return randomJson(random, 2)
  }
}

function randomFilled(random: Random, schema: JsonSchemaNode, depth: number): unknown {
  const entries: [string, unknown][] = Object.entries(schema.properties ?? {})
    .filter(([name]) => random.below(schema.required?.includes(name) === true ? 12 : 2) > 0)
    .map(([name, property]) => [name, randomValue(random, property, depth - 1)])
  if (random.below(5) === 0) entries.push([pick(random, names), randomJson(random, 1)])
  if (random.below(3) === 0) entries.reverse()
  return Object.fromEntries(entries)
}

export function randomJson(random: Random, depth: number): unknown {
  switch (random.below(depth > 0 ? 7 : 5)) {
    case 0:
      return pick(random, strings)
    case 1:
    case 2:
      return pick(random, numbers)
    case 3:
      return random.below(2) === 0
    case 4:
      return null
    case 5:
      return Array.from({ length: random.below(3) }, () => randomJson(random, depth - 1))
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(3) }, () => [pick(random, names), randomJson(random, depth - 1)]),
      )
  }
}
