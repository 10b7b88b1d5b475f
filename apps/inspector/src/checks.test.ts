import { expect, it } from 'vitest'
import { sampleLog } from '../test/sample-log.js'
import { checkLog } from './checks.js'

it('a finished log is sound for every profile', () => {
  const { verdict, legality } = checkLog(sampleLog())
  expect(verdict).toBe('sound')
  expect(legality.map(({ profile, findings }) => [profile, findings.length])).toEqual([
    ['openai', 0],
    ['anthropic', 0],
    ['gemini', 0],
    ['strict', 0],
  ])
})

it('a log that was cut needs repair, and is legal once repaired, at every seq', () => {
  const events = sampleLog()
  for (let length = 0; length <= events.length; length++) {
    const { verdict, violations } = checkLog(events.slice(0, length))
    expect(['sound', 'needs-repair']).toContain(verdict)
    expect(violations).toEqual([])
  }
})

it('an event that contradicts the others is named by its seq', () => {
  const events = sampleLog().filter(({ seq }) => seq !== 19)
  const { verdict, violations, legality } = checkLog(events)
  expect(verdict).toBe('violated')
  expect(violations[0]).toMatchObject({ seq: 20 })
  expect(legality).toEqual([])
})

it('a conversation that a provider would refuse names the event', () => {
  const events = sampleLog().map(event =>
    event.type === 'user/message' && event.seq === 2
      ? { ...event, data: { message: { ...event.data.message, content: [] } } }
      : event,
  )
  const { verdict, legality } = checkLog(events)
  expect(verdict).toBe('illegal')
  expect(legality[0]?.findings[0]).toMatchObject({ code: 'EMPTY_MESSAGE', seq: 2 })
})
