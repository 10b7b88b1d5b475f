import { deriveMessages } from '@agent-spine/session'
import { expect, it } from 'vitest'
import { LogWriter, sampleLog } from '../test/sample-log.js'
import {
  conversationAt,
  conversationChange,
  repairedConversationAt,
  surfaceEvents,
} from './conversation-at.js'

it('at every seq is what deriveMessages gives of the log up to it', () => {
  const events = sampleLog()
  const surface = surfaceEvents(events)
  for (let seq = -1; seq < events.length; seq++) {
    expect(conversationAt(surface, seq)).toEqual(deriveMessages(events.slice(0, seq + 1)))
  }
})

it('a surface that was replaced takes messages away', () => {
  const log = new LogWriter()
  log.turn().step().says('one').answers('two').endStep().endTurn()
  const [first, last] = surfaceEvents(log.events)
  log.compacts(first?.seq ?? 0, last?.seq ?? 0)
  const surface = surfaceEvents(log.events)
  const seq = log.events.length - 1
  const change = conversationChange(conversationAt(surface, seq - 1), conversationAt(surface, seq))
  expect(change.removed).toBe(2)
  expect(change.added.size).toBe(1)
})

it('of a process that died, every call is answered', () => {
  const messages = repairedConversationAt(sampleLog(), 20)
  const results = messages.filter(({ source }) => source.kind === 'tool')
  expect(results).toHaveLength(5)
})
