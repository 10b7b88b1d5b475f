import { compileSchema } from '../src/index.js'
import { oracle } from './against-ajv.js'
import { isCarriable } from './carriable.js'
import { pick, randomSchema, randomValue, type Random, seededRandom } from './generate.js'
import { type Harm, harms, type Place } from './harms.js'
import { survive, verdictOf } from './verdict.js'

/** Ends an endless tree soon. */
const maxNodes = 5000

/** Checks `values` values of one random schema, each harmed somewhere; returns how many were judged. */
export function hostileOnce(seed: number, values: number): number {
  const random = seededRandom(seed)
  const schema = randomSchema(random)
  const accepts = oracle(schema)
  if (accepts === undefined) return 0
  const validator = compileSchema(schema)
  for (let index = 0; index < values; index++) {
    const harm = pick(random, harms)
    const value = plant(harm, { random, value: randomValue(random, schema), above: [] })
    try {
      if (harm.verdict === 'unstable') {
        survive(validator, value, { maxNodes })
        continue
      }
      const verdict = verdictOf(validator, value)
      if (harm.isEndless !== true && validator.violations(value).some(isAboutSize)) {
        throw new Error('walked until the budget ran out')
      }
      if (harm.verdict === 'either') continue
      const expected = isCarriable(value) && answer(accepts, value)
      if (expected !== undefined && verdict !== expected)
        throw new Error(`expected ${expected}, found ${verdict}`)
    } catch (cause) {
      throw new Error(`${harm.name}: ${JSON.stringify({ seed, index, schema })}`, { cause })
    }
  }
  return values
}

const isAboutSize = (text: string): boolean => text.includes('values in all')

/** Ajv's verdict; it has none on an empty Proxy that throws when it is asked for a property. */
function answer(accepts: (value: unknown) => boolean, value: unknown): boolean | undefined {
  try {
    return accepts(value)
  } catch {
    return undefined
  }
}

/** The value with the harm done at a random place in it. */
function plant(harm: Harm, place: Place): unknown {
  const { random, value, above } = place
  const key = random.below(3) === 0 ? undefined : randomKey(random, value)
  if (key === undefined) return harm.make(place)
  const holder = value as Record<string, unknown>
  const harmed = plant(harm, { random, value: holder[key], above: [...above, holder] })
  return Object.defineProperty(holder, key, {
    value: harmed,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function randomKey(random: Random, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const keys = Object.keys(value)
  return keys[random.below(keys.length + 1)]
}
