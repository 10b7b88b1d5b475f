import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compileSchema, type JsonSchemaNode } from './index.js'

interface SuiteCase {
  readonly file: string
  readonly group: string
  readonly description: string
  readonly schema: JsonSchemaNode
  readonly data: unknown
  readonly valid: boolean
}

function read(name: string): readonly SuiteCase[] | undefined {
  const url = new URL(`../../../../shared/data/${name}.json`, import.meta.url)
  return existsSync(url) ? (JSON.parse(readFileSync(url, 'utf8')) as SuiteCase[]) : undefined
}

const bare = read('json-schema-suite-subset')
const typed = read('json-schema-suite-subset-typed')

const enforced = ['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'oneOf']
const annotations = ['description', 'title', 'default', 'examples']

/** The definition of the subset once more, independent of the one under test. */
function isInSubset(schema: JsonSchemaNode): boolean {
  const { type, properties = {}, required = [], items, oneOf } = schema
  const others = Object.keys(schema).filter(keyword => keyword !== 'oneOf' && !annotations.includes(keyword))
  if (!others.every(keyword => enforced.includes(keyword))) return false
  if (oneOf !== undefined) return others.length === 0 && oneOf.length >= 2 && oneOf.every(isInSubset)
  if (type === undefined) return others.length === 0
  if (schema.enum?.length === 0 || !required.every(name => Object.hasOwn(properties, name))) return false
  return Object.values(properties).every(isInSubset) && (items === undefined || isInSubset(items))
}

function run({ file, group, description, schema, data, valid }: SuiteCase): void {
  const name = `${file}: ${group}: ${description}`
  if (!isInSubset(schema)) {
    expect(() => compileSchema(schema), name).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_SCHEMA' }))
    return
  }
  const validator = compileSchema(schema)
  expect(validator.check(data), name).toBe(valid)
  expect(validator.violations(data).length === 0, name).toBe(valid)
  expect(validator.check(data, { parsed: true }), name).toBe(valid)
}

it.skipIf(bare === undefined)('agrees with the official suite, or refuses the schema at definition', () => {
  expect(bare).toHaveLength(194)
  bare?.forEach(run)
  expect(bare?.filter(({ schema }) => isInSubset(schema)).length).toBeGreaterThan(50)
})

it.skipIf(typed === undefined)('agrees with the official suite where the implied type is written out', () => {
  typed?.forEach(run)
  expect(typed?.filter(({ schema }) => isInSubset(schema)).length).toBeGreaterThan(35)
})
