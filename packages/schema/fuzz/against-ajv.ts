import { Ajv, type ValidateFunction } from 'ajv'
import { expect } from 'vitest'
import { compileSchema, type JsonSchemaNode } from '../src/index.js'
import { randomSchema, randomValue, seededRandom } from './generate.js'

const ajv = new Ajv({ strict: true, allErrors: true, ownProperties: true, addUsedSchema: false })

/** Ajv's verdict function. Ajv cannot compile `__proto__` into generated code, so such a schema has none. */
export function oracle(schema: unknown): ValidateFunction | undefined {
  const text = JSON.stringify(schema)
  return text.includes('__proto__') ? undefined : ajv.compile(JSON.parse(text) as object)
}

/** Checks `values` values of one random schema against ajv; returns how many verdicts were compared. */
export function compareOnce(seed: number, values: number): number {
  const random = seededRandom(seed)
  const schema = randomSchema(random)
  const accepts = oracle(schema)
  if (accepts === undefined) return 0
  const validator = compileSchema(schema)
  for (let index = 0; index < values; index++) {
    const value = randomValue(random, schema)
    const expected = accepts(value)
    const about = { seed, schema, value }
    if (validator.check(value) !== expected) fail('check', about)
    if (validator.check(value, { parsed: true }) !== expected) fail('check of a parsed value', about)
    if ((validator.issues(value).length === 0) !== expected) fail('issues', about)
  }
  return values
}

function fail(what: string, about: { seed: number; schema: JsonSchemaNode; value: unknown }): never {
  expect.unreachable(`${what} differs from ajv: ${JSON.stringify(about)}`)
}
