/** How many different payloads every benchmark cycles through, so that nothing is constant-folded. A power of two. */
export const variety = 64

/** Makes {@link variety} payloads as a model's text would give them, and returns one by number. */
export function vary<T>(make: (index: number) => T): (index: number) => T {
  const payloads = Array.from({ length: variety }, (_, index) => JSON.parse(JSON.stringify(make(index))) as T)
  return index => payloads[index & (variety - 1)] as T
}

export interface Arguments {
  path: string
  query: string
  limit: number
  recursive: boolean
  mode: 'read' | 'write' | 'append'
}

const modes = ['read', 'write', 'append'] as const

/** The arguments of a tool call: five properties, three of them required. */
export const validArguments = vary((index): Arguments => ({
  path: `src/file-${index}.ts`,
  query: `needle ${index}`,
  limit: index + 1,
  recursive: index % 2 === 0,
  mode: modes[index % 3] ?? 'read',
}))

/** The same with three mistakes: a string for an integer, a string for a boolean, an unknown mode. */
export const wrongArguments = vary(index => ({
  path: `src/file-${index}.ts`,
  query: `needle ${index}`,
  limit: String(index),
  recursive: 'yes',
  mode: `mode-${index}`,
}))

/** 200 rows of six fields. */
export const rows = vary(index => ({
  rows: Array.from({ length: 200 }, (_, row) => ({
    id: index * 200 + row,
    name: `name ${row}`,
    email: `user${row}@example.org`,
    active: row % 2 === 0,
    score: row / 3,
    tags: ['a', `b${row}`],
  })),
}))

const flaws = [undefined, Symbol('x'), 1n] as const

/** A small JSON value, and one that is not JSON. */
export const smallJson = vary(index => ({
  a: [index, 'x', { b: null, c: index % 2 === 0 }],
  [`d${index}`]: [[]],
}))
export const notJson = (index: number): unknown => ({ a: [{ b: flaws[index % flaws.length] }] })

/** Few, because they are large. A power of two. */
const largeVariety = 4

function varyLarge(make: (index: number) => unknown): (index: number) => unknown {
  const payloads = Array.from({ length: largeVariety }, (_, index) => make(index))
  return index => payloads[index & (largeVariety - 1)]
}

/** Objects and arrays in one another, `levels` deep. */
export const nested = (levels: number) =>
  varyLarge(index => {
    let value: unknown = index
    for (let level = 0; level < levels; level++)
      value = level % 2 === 0 ? { [`key${index}`]: value } : [value]
    return value
  })

/** One object with `width` properties. */
export const wide = (width: number) =>
  varyLarge(index =>
    Object.fromEntries(Array.from({ length: width }, (_, property) => [`p${index}_${property}`, property])),
  )

export const branches = Array.from({ length: 10 }, (_, branch) => `kind-${branch}`)

/** One of ten shapes, told apart by `kind`. */
export const tagged = vary(index => ({
  kind: branches[(index * 7) % 10] ?? 'kind-0',
  id: index,
  label: `label ${index}`,
  size: index / 2,
}))
