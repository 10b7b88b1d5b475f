import { expect, it } from 'vitest'
import type { SessionEvent } from '@agent-spine/session'
import { sampleLog } from '../test/sample-log.js'
import { stepUsage, totalTokens } from './token-usage.js'

const usage = { inputTokens: 10, outputTokens: 5 }

function attempt(number: number, parts: readonly Omit<SessionEvent, 'seq' | 'time'>[]): SessionEvent[] {
  const scope = { turn: 0, step: 0, attempt: number }
  const drafts = [{ type: 'attempt/start', data: scope }, ...parts]
  return drafts.map((draft, seq) => ({ ...draft, seq, time: 0 }) as SessionEvent)
}
const scope = (number: number) => ({ turn: 0, step: 0, attempt: number })
const streamed = { type: 'assistant/chunk', data: { ...scope(0), chunk: { type: 'usage', usage } } } as const
const ended = { type: 'attempt/end', data: { ...scope(0), usage } } as const
const silent = { type: 'attempt/end', data: scope(0) } as const

it('a model call that says it in its stream and at its end is counted once', () => {
  expect(stepUsage(attempt(0, [streamed, ended]))).toMatchObject([{ attempts: 1, ...usage, isKnown: true }])
})

it('a failed model call counts what it streamed', () => {
  expect(stepUsage(attempt(0, [streamed, silent]))).toMatchObject([{ attempts: 1, ...usage }])
})

it('a retry adds to its step, and what the first streamed is not counted again', () => {
  const events = [...attempt(0, [streamed, silent]), ...attempt(1, [silent])]
  expect(stepUsage(events)).toMatchObject([{ attempts: 2, ...usage }])
})

it('a model that does not say is unknown, not nothing', () => {
  expect(stepUsage(attempt(0, [silent]))).toMatchObject([{ isKnown: false }])
})

it('has one row for each step with a model call', () => {
  const steps = stepUsage(sampleLog())
  expect(steps.map(({ turn, step }) => [turn, step])).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
    [2, 0],
  ])
  expect(steps.map(totalTokens)).toEqual([2240, 2240, 2240, 2240])
})
