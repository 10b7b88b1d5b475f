import type { UserMessage } from '@agent-spine/model'
import type { CoreEventMap, SessionEvent } from './event.js'

/**
 * One event of every kind a store may meet, awkward text, numbers and nesting included. What the session's own rules
 * would say of them is not the store's business.
 */
export function awkwardEvents(): readonly SessionEvent[] {
  return stamp([
    { type: 'turn/start', data: { turn: 0, dispatchMarked: true } },
    { type: 'step/start', data: { turn: 0, step: 0 } },
    {
      type: 'user/message',
      surfaceOp: 'append',
      data: {
        message: {
          id: 'u0',
          role: 'user',
          source: { kind: 'user' },
          content: awkwardTexts.map(text => ({ type: 'text', text })),
        },
      },
    },
    { type: 'attempt/start', data: { turn: 0, step: 0, attempt: 0 } },
    ...awkwardTexts.map(text => chunk({ type: 'text-delta', index: 0, text })),
    chunk({ type: 'reasoning-delta', index: 1, text: 'hm' }),
    chunk({ type: 'tool-call-delta', index: 2, text: '{"a":', id: 'c', name: 'look' }),
    chunk({ type: 'tool-call-delta', index: 2, text: '1}' }),
    chunk({ type: 'block-start', index: 3, block: { type: 'text' } }),
    chunk({ type: 'block-end', index: 3, replay: { signature: 'x'.repeat(3000), nested: [[], {}, [null]] } }),
    chunk({ type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } }),
    chunk({ type: 'finish', reason: { kind: 'tool-calls' } }),
    { type: 'tool/dispatch', data: { callId: 'c' } },
    {
      type: 'tool/result',
      surfaceOp: 'append',
      sourceEventSeqs: [0, 2, 3, 4, 5, 9],
      closer: true,
      data: {
        turn: 0,
        step: 0,
        message: {
          id: 'result_c',
          role: 'user',
          source: { kind: 'tool', callId: 'c' },
          content: [{ type: 'tool-result', toolCallId: 'c', content: [], isError: true }],
        },
        meta: awkwardJson,
      },
    },
    {
      type: 'user/message',
      surfaceOp: { replace: { start: 2, end: 2 } },
      data: {
        message: {
          id: 'summary',
          role: 'user',
          source: { kind: 'plugin', name: 'compaction' },
          content: [{ type: 'text', text: 'so far' }],
        },
      },
    },
    ...Object.entries(oneOfEach).map(([type, data]) => ({ type, data })),
    { type: 'conformance/unknown', ignorable: true, data: awkwardJson },
    { type: 'turn/end', data: { turn: 0, reason: { kind: 'aborted', cause: { kind: 'hook', reason: '' } } } },
  ])
}

const scope = { turn: 0, step: 0 }

/** The data of one event of each core type. A type that is missing here does not compile. */
const oneOfEach: { readonly [Type in keyof CoreEventMap]: CoreEventMap[Type] } = {
  'turn/start': { turn: 1 },
  'turn/end': { turn: 1, reason: { kind: 'error', failure: { message: 'busy\u2028', code: 'OVERLOADED' } } },
  'step/start': scope,
  'step/end': scope,
  'inbox/spliced': {
    target: 'next-step',
    start: 0,
    removed: ['i0'],
    inserted: [{ inboxId: 'i1', message: userMessage('u1') }],
    outcome: 'committed',
  },
  'user/message': { message: userMessage('u2'), inboxId: 'i1' },
  'attempt/start': { ...scope, attempt: 1 },
  'attempt/end': {
    ...scope,
    attempt: 1,
    failure: { message: 'cut', code: 'ABORTED' },
    usage: { inputTokens: 1, outputTokens: 0 },
  },
  'assistant/chunk': {
    ...scope,
    attempt: 1,
    chunk: { type: 'block-start', index: 0, block: { type: 'reasoning' } },
  },
  'assistant/message': {
    ...scope,
    message: {
      id: 'a1',
      role: 'assistant',
      source: { kind: 'model', provider: 'acme', model: 'large' },
      content: [
        { type: 'reasoning', text: 'hm\u2029', replay: { signature: 's' } },
        { type: 'tool-call', id: 'c1', providerId: '', name: 'look', arguments: '{"a":1' },
      ],
    },
    usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 5 },
  },
  'tool/call': { ...scope, callId: 'c1', providerId: '', name: 'look', arguments: '{"a":1', skipped: true },
  'tool/dispatch': { callId: 'c1' },
  'tool/result': { ...scope, message: resultMessage('c1'), error: { name: 'Error', code: 'UNKNOWN' } },
  'tool/late': { ...scope, message: resultMessage('c1'), meta: [null] },
  'tool/sub-call': { ...scope, parentCallId: 'c1', callId: 'n1', name: 'inner', arguments: '' },
  'tool/sub-result': { ...scope, parentCallId: 'c1', message: resultMessage('n1') },
  'request/header': {
    header: {
      config: { provider: 'acme', model: 'large', temperature: 0.5, stopSequences: ['\n'] },
      system: 'be brief',
      tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
    },
    reason: 'change',
  },
  'session/owner': { owner: 'somebody', lostTail: true },
  'session/end-seed': { from: 'another' },
}

/** The core types, in the order of {@link awkwardEvents}. */
export const coreTypes: readonly string[] = Object.keys(oneOfEach)

function userMessage(id: string): UserMessage {
  return { id, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text: 'and\u2028then' }] }
}

function resultMessage(callId: string): UserMessage {
  return {
    id: `result_${callId}`,
    role: 'user',
    source: { kind: 'tool', callId },
    content: [{ type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text: 'done' }] }],
  }
}

/** `count` chunks from `seq` on, as a long answer makes them: the same seq is always the same event. */
export function chunkRun(seq: number, count: number): readonly SessionEvent[] {
  const all = Array.from({ length: count }, (_, index) => chunkAt(seq + index))
  return deepFreeze(all) as unknown as readonly SessionEvent[]
}

function chunkAt(seq: number): object {
  // Time stands still, goes on and goes back, as a clock that is set may do.
  const time = 1_700_000_000_000 + (seq % 7 === 6 ? -3 : seq % 3)
  const text = awkwardTexts[seq % awkwardTexts.length] ?? ''
  return { seq, time, ...chunk({ type: 'text-delta', index: 0, text }) }
}

const awkwardTexts: readonly string[] = [
  '',
  'plain',
  'two\nlines\r\n',
  'separators \u2028 \u2029 \u0085',
  'nul \u0000 and bell \u0007',
  'quotes " \\ \' and ,"crc":"00000000"}',
  'astral 😀 and combining e\u0301',
  'half a pair \ud83d',
  '\ude00 the other half',
  '\ufeffbyte order mark',
]

const awkwardJson = {
  numbers: [0, -1, 1.5, 1e21, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER, -Number.MAX_VALUE],
  literals: [null, true, false, '', [], {}],
  'a key\nwith "quotes"': { '': 'empty key', toString: 'own', constructor: { prototype: 1 } },
  deep: Array.from({ length: 200 }).reduce<unknown>(inner => ({ inner }), 'bottom'),
}

function chunk(data: object) {
  return { type: 'assistant/chunk', data: { turn: 0, step: 0, attempt: 0, chunk: data } }
}

function stamp(drafts: readonly object[]): readonly SessionEvent[] {
  const events = drafts.map((draft, seq) => ({ seq, time: 1_700_000_000_000 + seq, ...draft }))
  // Core and unknown types stand side by side here, as they do in a file: the union of core types cannot say so.
  return deepFreeze(events) as unknown as readonly SessionEvent[]
}

/** Stores are handed frozen events, as a session hands them. */
function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member as object)
  }
  return Object.freeze(value)
}
