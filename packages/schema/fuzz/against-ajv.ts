import { Ajv, type ValidateFunction } from 'ajv'
import { compileSchema, type JsonSchemaNode, parseJson, type Validator } from '../src/index.js'
import { randomSchema, randomValue, seededRandom } from './generate.js'
import { verdictOf } from './verdict.js'

const ajv = new Ajv({ strict: true, allErrors: true, ownProperties: true, addUsedSchema: false })

/** Ajv's verdict function. Ajv cannot compile `__proto__` into generated code, so such a schema has none. */
export function oracle(schema: JsonSchemaNode): ValidateFunction | undefined {
  const text = JSON.stringify(schema)
  return text.includes('__proto__') ? undefined : ajv.compile(JSON.parse(text) as object)
}

/** Checks `values` values of one random schema against ajv; returns how many were compared. */
export function compareOnce(seed: number, values: number): number {
  const random = seededRandom(seed)
  const schema = randomSchema(random)
  const accepts = oracle(schema)
  if (accepts === undefined) return 0
  const validator = compileSchema(schema)
  for (let index = 0; index < values; index++) {
    const value = randomValue(random, schema)
    try {
      compare(validator, value, accepts(value))
    } catch (cause) {
      throw new Error(`differs from ajv: ${JSON.stringify({ seed, schema, value })}`, { cause })
    }
  }
  return values
}

/** The verdict is the same for the value, for what its text becomes, and for that text. */
function compare(validator: Validator<unknown>, value: unknown, expected: boolean): void {
  const text = JSON.stringify(value)
  const fromText: unknown = JSON.parse(text)
  const parsed = parseJson(text)
  const isExact = parsed.ok && parsed.unsafeIntegers.length === 0
  const verdicts = {
    verdict: verdictOf(validator, value),
    'verdict on what came from text': verdictOf(validator, fromText),
    'verdict on what is known to come from text': verdictOf(validator, fromText, { parsed: true }),
    'outcome of parse': validator.parse(text).ok || (expected && !isExact),
  }
  for (const [what, found] of Object.entries(verdicts)) {
    if (found !== expected) throw new Error(`expected the ${what} to be ${expected}, found ${found}`)
  }
}
