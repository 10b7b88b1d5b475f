import { expect, it } from 'vitest'
import { progressNotes } from './progress-notes.js'

it('progress keeps its numbers, counts what has none, and never goes back', () => {
  const note = progressNotes('t')
  const updates = [
    { progress: 1, total: 4, message: 'one' },
    'two',
    { files: 3 },
    { progress: 2 },
    7,
    { progress: 7 },
    ['list'],
  ]
  expect(updates.map(note)).toEqual([
    { progressToken: 't', progress: 1, total: 4, message: 'one' },
    { progressToken: 't', progress: 2, message: 'two' },
    { progressToken: 't', progress: 3, message: '{"files":3}' },
    undefined,
    { progressToken: 't', progress: 7 },
    undefined,
    { progressToken: 't', progress: 8, message: '["list"]' },
  ])
})

it('progress may start at nothing', () => {
  const note = progressNotes(0)
  expect([0, 0, 1].map(note)).toEqual([
    { progressToken: 0, progress: 0 },
    undefined,
    { progressToken: 0, progress: 1 },
  ])
})
