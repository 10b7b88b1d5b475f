import { expectTypeOf } from 'vitest'
import type { EventDraft, Session, SessionEvent, SessionEventMap } from './index.js'

// Adding a type must not only work for whoever adds it: the whole package is compiled with it here.
declare module './index.js' {
  interface SessionEventMap {
    'review/comment': { readonly line: number }
  }
}

declare const session: Session
declare const event: SessionEvent

expectTypeOf<SessionEventMap['review/comment']>().toEqualTypeOf<{ readonly line: number }>()
expectTypeOf(session.append('review/comment', { line: 3 }).data.line).toEqualTypeOf<number>()
session.appendAll([
  { type: 'review/comment', data: { line: 3 } },
  { type: 'turn/start', data: { turn: 0 } },
])

// @ts-expect-error -- the data of another type
session.append('review/comment', { turn: 0 })
// @ts-expect-error -- a type nobody declared
session.append('review/verdict', {})
// @ts-expect-error -- type and data of different events
export const mixed: EventDraft = { type: 'turn/start', data: { line: 3 } }

if (event.type === 'assistant/chunk') expectTypeOf(event.data.attempt).toEqualTypeOf<number>()
if (event.type === 'review/comment') expectTypeOf(event.data.line).toEqualTypeOf<number>()
