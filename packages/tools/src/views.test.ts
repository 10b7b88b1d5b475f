import { expect, it } from 'vitest'
import { readCallView, readResultView } from './views.js'

type Read = (value: unknown) => unknown

const calls = [
  { kind: 'generic', title: 't' },
  { kind: 'generic', title: 't', detail: 'd' },
  { kind: 'terminal', command: 'ls' },
  { kind: 'terminal', command: 'ls', directory: '/tmp' },
  { kind: 'diff', path: 'a.txt' },
  { kind: 'diff', path: 'a.txt', before: 'x', after: 'y' },
]

const results = [
  { kind: 'generic', title: 't' },
  { kind: 'generic', title: 't', detail: 'd' },
  { kind: 'terminal', output: 'done' },
  { kind: 'terminal', output: 'done', exitCode: 1 },
  { kind: 'diff', path: 'a.txt', patch: '@@' },
]

const valid: [string, Read, object][] = [
  ...calls.map((view): [string, Read, object] => [`call ${JSON.stringify(view)}`, readCallView, view]),
  ...results.map((view): [string, Read, object] => [`result ${JSON.stringify(view)}`, readResultView, view]),
]

it.each(valid)('reads the view of a %s, frozen', (_, read, view) => {
  expect(read(view)).toEqual(view)
  expect(Object.isFrozen(read(view))).toBe(true)
})

it.each(valid)('keeps what the view of a %s holds beside its own fields', (_, read, view) => {
  expect(read({ ...view, icon: 'x' })).toEqual({ ...view, icon: 'x' })
})

it.each(valid)('does not take a view of no kind or of another kind: %s', (_, read, view) => {
  const { kind, ...rest } = view as { readonly kind: string }
  expect(read(rest)).toBeUndefined()
  expect(read({ ...rest, kind: '' })).toBeUndefined()
  expect(read({ ...rest, kind: `${kind}s` })).toBeUndefined()
})

it.each(valid)('does not take a field of another type: %s', (_, read, view) => {
  for (const key of Object.keys(view)) expect(read({ ...view, [key]: [] })).toBeUndefined()
})

it.each<[string, Read, object]>([
  ['generic call', readCallView, { kind: 'generic', detail: 'd' }],
  ['terminal call', readCallView, { kind: 'terminal', directory: '/tmp' }],
  ['diff call', readCallView, { kind: 'diff', before: 'x', after: 'y' }],
  ['generic result', readResultView, { kind: 'generic', detail: 'd' }],
  ['terminal result', readResultView, { kind: 'terminal', exitCode: 0 }],
  ['diff result without its patch', readResultView, { kind: 'diff', path: 'a.txt' }],
  ['diff result without its path', readResultView, { kind: 'diff', patch: '@@' }],
  ['terminal result with half an exit code', readResultView, { kind: 'terminal', output: '', exitCode: 0.5 }],
])('does not take half a view: %s', (_, read, view) => {
  expect(read(view)).toBeUndefined()
})

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['text', 'ls'],
  ['a list', [{ kind: 'generic', title: 't' }]],
  ['what JSON cannot carry', { kind: 'generic', title: 't', at: NaN }],
  ['a promise', Promise.resolve({ kind: 'generic', title: 't' })],
])('answers nothing for %s, and does not throw', (_, value) => {
  expect(readCallView(value)).toBeUndefined()
  expect(readResultView(value)).toBeUndefined()
})
