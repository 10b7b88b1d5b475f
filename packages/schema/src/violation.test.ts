import { expect, it } from 'vitest'
import { compileSchema, defineParameters, defineValue, validateJsonSchemaValue } from './index.js'

const args = defineParameters({
  path: { type: 'string', required: true },
  limit: { type: 'integer' },
  rows: {
    type: 'array',
    items: { type: 'object', additionalProperties: true, properties: { name: { type: 'string' } } },
  },
})

it('prints paths the way the prefix asks for', () => {
  const value = { path: 1, rows: [{}, { name: 2 }] }
  expect(args.issues(value).map(issue => issue.pointer)).toEqual(['/path', '/rows/1/name'])
  expect(args.violations(value).map(text => text.split(' ')[0])).toEqual(['"path"', '"rows[1].name"'])
  expect(args.violations(value, { path: 'value' }).map(text => text.split(' ')[0])).toEqual([
    '"value.path"',
    '"value.rows[1].name"',
  ])
  expect(args.violations(7)).toEqual(['"arguments" must be an object (received number 7)'])
  expect(validateJsonSchemaValue({ type: 'null' }, 7)).toEqual(['"value" must be null (received number 7)'])
})

it('gives every violation as data, in logs too', () => {
  const [issue] = args.issues({ path: 'x', limit: '10' })
  const data = {
    path: ['limit'],
    pointer: '/limit',
    keyword: 'type',
    expected: 'an integer',
    received: 'string "10"',
    message: '"limit" must be an integer (received string "10"; send the number without quotes)',
  }
  expect(issue).toMatchObject(data)
  expect(JSON.parse(JSON.stringify(issue))).toEqual(data)
})

it('shows at most 40 characters of a value and never half a surrogate pair', () => {
  const text = `${'a'.repeat(39)}😀${'b'.repeat(1000)}`
  expect(args.issues({ path: 'x', limit: text })[0]?.received).toBe(`string "${'a'.repeat(39)}…"`)
})

it('caps what is printed and never the verdict', () => {
  const list = defineValue({ type: 'array', items: { type: 'integer' } })
  const bad = new Array<string>(1_000_000).fill('x')
  const shown = list.violations(bad, { limit: 2 })
  expect(shown).toHaveLength(3)
  expect(shown[2]).toBe('and 999998 more')
  expect(list.violations(['x'], { limit: 0 })).toEqual(['and 1 more'])
})

it('says which keyword was not met', () => {
  const schema = compileSchema({
    type: 'object',
    properties: {
      enum: { type: 'string', enum: ['a', 'b'] },
      const: { type: 'integer', const: 1 },
      type: { type: 'boolean' },
      text: { type: 'string' },
      oneOf: { oneOf: [{ type: 'null' }, { type: 'string' }] },
    },
    additionalProperties: false,
  })
  const issues = schema.issues({ enum: 'c', const: 2, type: 1, text: '\ud800', oneOf: 1, other: 1 })
  expect(issues.map(({ keyword }) => keyword)).toEqual([
    'enum',
    'const',
    'type',
    'json',
    'oneOf',
    'additionalProperties',
  ])
})

it.each(['k', '鍵', '\u0001'])(
  'answers text for the model within 2 KB, however much is wrong under %j',
  key => {
    const rows = Array.from({ length: 5000 }, () => ({ name: 1 }))
    const outcome = args.parse(
      JSON.stringify({ [key.repeat(9000)]: { [key.repeat(99)]: '\ud800' }, path: 1, rows }),
    )
    expect(outcome.ok).toBe(false)
    if (outcome.ok) return
    expect(new TextEncoder().encode(outcome.text).length).toBeLessThanOrEqual(2048)
    expect(outcome.text).toContain('"path" must be a string')
    expect(outcome.text).toMatch(/- and \d+ more$/)
    expect(outcome.issues.length).toBeGreaterThan(5000)
  },
)

it('tells how deep it is instead of printing an endless path', () => {
  let value: unknown = 'x'
  for (let level = 0; level < 1000; level++) value = [value]
  const [text] = compileSchema({}).violations([value, NaN].reverse())
  expect(text).toContain('number NaN')
  let bad: unknown = NaN
  for (let level = 0; level < 1000; level++) bad = [bad]
  const [deep] = compileSchema({}).violations(bad)
  expect(deep).toContain('…(950 levels)[0]')
  expect(deep?.length).toBeLessThan(400)
  expect(compileSchema({}).issues(bad)[0]?.path).toHaveLength(1000)
})

it('hands out a list that no later walk touches', () => {
  const clean = args.issues({ path: 'x' })
  args.parse('{"path":"x","other":12345678901234567890}')
  expect(clean).toEqual([])
  expect(args.issues({ path: 'x' })).toEqual([])
  expect(args.parse('{"path":"x"}').ok).toBe(true)
})
