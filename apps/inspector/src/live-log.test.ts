import type { SessionEvent } from '@agent-spine/session'
import { expect, it } from 'vitest'
import { sampleLog } from '../test/sample-log.js'
import { createLiveLog, type LiveChange } from './live-log.js'

const all = sampleLog()

/** A file of which the test decides what it holds, and when a reading of it goes on. */
function fileOf(initial: readonly SessionEvent[]) {
  const file = { holds: initial, readings: 0, gate: Promise.resolve(), fails: false }
  const log = createLiveLog(async function* () {
    file.readings += 1
    const { holds } = file
    await file.gate
    if (file.fails) throw new Error('unreadable')
    yield* holds
  })
  const heard: LiveChange[] = []
  log.follow(change => heard.push(change))
  const seqs = () =>
    heard.map(change => (change.kind === 'reset' ? 'reset' : change.events.map(({ seq }) => seq)))
  return { file, log, seqs }
}

it('announces each event once, in order (L1)', async () => {
  const { file, log, seqs } = fileOf(all.slice(0, 2))
  await log.refresh()
  await log.refresh()
  file.holds = all.slice(0, 4)
  await log.refresh()
  expect(seqs()).toEqual([
    [0, 1],
    [2, 3],
  ])
  expect(log.events).toEqual(all.slice(0, 4))
})

it.each([
  ['became shorter', all.slice(0, 1)],
  ['holds others', [...all.slice(0, 2), ...all.slice(20, 23)]],
])('begins anew when the log %s (L2)', async (_what, holds) => {
  const { file, log, seqs } = fileOf(all.slice(0, 4))
  await log.refresh()
  file.holds = holds
  await log.refresh()
  expect(seqs().slice(1)).toEqual(['reset', holds.map(({ seq }) => seq)])
  expect(log.events).toEqual(holds)
})

it('a change during a reading leads to one more, not to one beside it (L3)', async () => {
  const { file, log, seqs } = fileOf(all.slice(0, 1))
  let open: () => void = () => undefined
  file.gate = new Promise(resolve => {
    open = resolve
  })
  const first = log.refresh()
  file.holds = all.slice(0, 3)
  const more = [log.refresh(), log.refresh()]
  expect(file.readings).toBe(1)
  open()
  await Promise.all([first, ...more])
  expect(file.readings).toBe(2)
  expect(seqs()).toEqual([[0], [1, 2]])
})

it('a reading that fails says so, and the next one goes on', async () => {
  const { file, log, seqs } = fileOf(all.slice(0, 2))
  file.fails = true
  await expect(log.refresh()).rejects.toThrow('unreadable')
  file.fails = false
  await log.refresh()
  expect(seqs()).toEqual([[0, 1]])
})
