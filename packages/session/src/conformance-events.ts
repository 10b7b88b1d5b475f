import type { SessionEvent } from './event.js'

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
    { type: 'conformance/unknown', ignorable: true, data: awkwardJson },
    { type: 'turn/end', data: { turn: 0, reason: { kind: 'aborted', cause: { kind: 'hook', reason: '' } } } },
  ])
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
