import type { JsonValue } from '@agent-spine/schema'
import type { CoreEventMap } from './event.js'
import {
  assistantMessage,
  chunk,
  failure,
  inputMessage,
  requestHeader,
  resultMessage,
  usage,
} from './message-shape.js'
import {
  anything,
  count,
  flag,
  list,
  literal,
  name,
  object,
  record,
  refine,
  tagged,
  text,
  type Problem,
  type Shape,
} from './shape.js'

const turn = { turn: count }
const step = { ...turn, step: count }
const attempt = { ...step, attempt: count }

const call = { ...step, callId: name, name: text, arguments: text }
const callExtras = { providerId: text, skipped: flag }
const result = { ...step, message: resultMessage }
const resultExtras = { error: record({ name }, { code: text }), meta: anything }

const endReason = tagged('kind', {
  completed: object,
  blocked: object,
  'max-tokens': object,
  'max-steps': object,
  interrupted: object,
  aborted: record({
    cause: tagged('kind', { user: object, parent: object, disposed: object, hook: record({ reason: text }) }),
  }),
  error: record({ failure }),
})

/** The data of every core event type. */
const shapes: Readonly<Record<keyof CoreEventMap, Shape>> = {
  'turn/start': record(turn, { dispatchMarked: flag }),
  'turn/end': record({ ...turn, reason: endReason }),
  'step/start': record(step),
  'step/end': record(step),
  'inbox/spliced': record(
    {
      target: literal('next-turn', 'next-step'),
      start: count,
      removed: list(name),
      inserted: list(record({ inboxId: name, message: inputMessage })),
    },
    { outcome: literal('committed', 'returned', 'discarded') },
  ),
  'user/message': record({ message: inputMessage }, { inboxId: name }),
  'attempt/start': record(attempt),
  'attempt/end': record(attempt, { failure, usage }),
  'assistant/chunk': record({ ...attempt, chunk }),
  'assistant/message': refine(
    record({ ...step, message: assistantMessage }, { usage, interrupted: flag }),
    interruptedWithoutCalls,
  ),
  'tool/call': record(call, callExtras),
  'tool/dispatch': record({ callId: name }),
  'tool/result': record(result, resultExtras),
  'tool/late': record(result, resultExtras),
  'tool/sub-call': record({ ...call, parentCallId: name }, callExtras),
  'tool/sub-result': record({ ...result, parentCallId: name }, resultExtras),
  'request/header': record({ header: requestHeader, reason: literal('initial', 'resume', 'change') }),
  'session/owner': record({ owner: name }, { lostTail: flag }),
  'session/end-seed': record({}, { from: text }),
}

const shapeByType = new Map(Object.entries(shapes))

/** Whether this version knows the type by itself. */
export function isCoreType(type: string): boolean {
  return shapeByType.has(type)
}

/** What is wrong with the data of a core event, or nothing. Data of other types is its owner's business. */
export function dataProblem(type: string, data: JsonValue): Problem | undefined {
  return shapeByType.get(type)?.(data)
}

/** A call of an answer that was cut never ran and never will: its result would have to be invented. */
function interruptedWithoutCalls(data: JsonValue | undefined): Problem | undefined {
  const { interrupted, message } = data as unknown as CoreEventMap['assistant/message']
  if (interrupted === undefined || message.content.every(block => block.type !== 'tool-call'))
    return undefined
  return { path: '.message.content', message: 'of an interrupted message must not hold tool calls' }
}
