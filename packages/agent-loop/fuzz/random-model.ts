import { LlmError, type LanguageModel, type LlmErrorCode, type StreamChunk } from '@agent-spine/model'
import type { Random } from './random.js'
import { linger, type World } from './world.js'

/** A model that answers anything, breaks off anywhere, and sometimes streams what no model should. */
export function randomModel(world: World): LanguageModel {
  return {
    provider: 'fuzz',
    modelId: 'fuzz',
    stream(request) {
      const { random, trouble } = world
      world.signals.add(request.signal)
      world.meddle()
      if (random.chance(trouble.model / 2)) throw failure(random)
      if (random.chance(trouble.malformed / 4))
        return random.pick<unknown>(notStreams) as AsyncIterable<StreamChunk>
      return stream(world, request.signal)
    },
  }
}

const notStreams: readonly [unknown, ...unknown[]] = [undefined, null, 'text', {}, Promise.resolve('text')]

async function* stream(world: World, signal: AbortSignal): AsyncGenerator<StreamChunk> {
  const { random, trouble } = world
  const heedsAbort = random.chance(60)
  for (const chunk of chunks(world)) {
    await linger(world)
    if (heedsAbort) signal.throwIfAborted()
    world.meddle()
    if (random.chance(trouble.model / 4)) throw failure(random)
    if (random.chance(trouble.malformed / 4)) yield malformed(random)
    yield chunk
  }
}

function* chunks(world: World): Iterable<StreamChunk> {
  const { random, trouble } = world
  let index = 0
  if (random.chance(25)) {
    yield { type: 'reasoning-delta', index, text: random.pick(['', ' ', 'hm']) }
    yield { type: 'block-end', index, ...(random.chance(30) && { replay: { signature: 's' } }) }
    index++
  }
  if (random.chance(70)) {
    for (let piece = random.below(4); piece >= 0; piece--) {
      yield { type: 'text-delta', index, text: random.pick(['word ', '', '  ', '\n']) }
    }
    if (random.chance(70)) yield { type: 'block-end', index }
    index++
  }
  const calls = random.chance(trouble.tools) ? random.below(6) : 0
  for (let call = 0; call < calls; call++) yield* callChunks(random, index++)
  if (random.chance(50)) yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }
  if (random.chance(trouble.malformed / 2)) return
  if (random.chance(trouble.model / 2)) {
    const kind = random.pick(['error', 'aborted'] as const)
    const { code, message } = failure(random)
    yield { type: 'finish', reason: { kind, failure: { code, message } } }
    return
  }
  const whole = calls > 0 ? 'tool-calls' : 'stop'
  yield { type: 'finish', reason: { kind: random.chance(trouble.model) ? 'max-tokens' : whole } }
}

const names = ['read', 'write', 'keyed', 'note', 'outer', 'slow', 'finish', 'missing', ''] as const

function* callChunks(random: Random, index: number): Iterable<StreamChunk> {
  const id = random.pick(['a', 'b', 'c', '', 'not an id', 'x'.repeat(80), `id_${random.below(1000)}`])
  yield { type: 'block-start', index, block: { type: 'tool-call', id, name: random.pick(names) } }
  const text = random.pick(['{"text":"x"}', '{"text":"y"}', '{"text":1}', '{"te', '[]', '', 'null'])
  yield { type: 'tool-call-delta', index, text }
  if (random.chance(70)) yield { type: 'block-end', index }
}

const codes = [
  'RATE_LIMITED',
  'OVERLOADED',
  'TRANSPORT',
  'INCOMPLETE_STREAM',
  'CONTEXT_OVERFLOW',
  'AUTH',
  'INVALID_REQUEST',
] as const satisfies readonly LlmErrorCode[]

function failure(random: Random): LlmError {
  const wait = random.chance(30) ? { retryAfterMs: random.below(100) } : {}
  return new LlmError(random.pick(codes), 'the model failed', wait)
}

const oddChunks: readonly [unknown, ...unknown[]] = [
  undefined,
  null,
  'text',
  {},
  { type: 'nothing-known' },
  { type: 'text-delta', index: -1, text: 'x' },
  { type: 'text-delta', index: 0 },
  { type: 'text-delta', index: 0, text: 7 },
  { type: 'text-delta', index: 0, text: '\ud800' },
  { type: 'block-end', index: 99 },
  { type: 'block-start', index: 0, block: { type: 'tool-call', id: 'a', name: 'read' } },
  { type: 'tool-call-delta', index: 0, text: '{}' },
  { type: 'usage', usage: { inputTokens: -1, outputTokens: Number.NaN } },
  { type: 'finish', reason: { kind: 'stop' } },
  { type: 'finish', reason: { kind: 'who knows' } },
]

function malformed(random: Random): StreamChunk {
  return random.pick(oddChunks) as StreamChunk
}
