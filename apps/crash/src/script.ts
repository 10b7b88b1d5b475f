import { setImmediate, setTimeout } from 'node:timers/promises'
import { LlmError, type StreamChunk } from '@agent-spine/model'
import type { ScriptedAnswer } from '@agent-spine/model/testing'
import { draw, drawCount, type Random } from './random.js'

/** What the model of a victim answers: far more answers than any run asks for, each drawn when it is asked for. */
export function drawScript(random: Random, run: string): ScriptedAnswer[] {
  let asked = 0
  return Array.from({ length: 1000 }, () => () => paced(random, drawAnswer(random, `${run}_${asked++}`)))
}

type Piece = StreamChunk | LlmError

function drawAnswer(random: Random, id: string): Piece[] {
  const kind = random()
  if (kind < 0.1) return [...drawText(random, 0, 8), new LlmError('OVERLOADED', 'busy')]
  if (kind < 0.45) return [...drawText(random, 0, 60), { type: 'finish', reason: { kind: 'stop' } }]
  return drawCalls(random, id)
}

function drawCalls(random: Random, id: string): Piece[] {
  const pieces: Piece[] = random() < 0.5 ? drawText(random, 0, 12) : []
  const count = drawCount(random, 1, 5)
  for (let position = 0; position < count; position++) {
    const index = position + 1
    const name = draw(random, ['note', 'note', 'note', 'note_alone', 'note_alone', 'fail', 'no_such_tool'])
    const block = { type: 'tool-call', name, id: drawCallId(random, `${id}_${position}`) } as const
    pieces.push({ type: 'block-start', index, block })
    const raw = random() < 0.05 ? '{"text":1}' : `{"text":"${'x'.repeat(drawCount(random, 0, 40))}"}`
    for (let at = 0; at < raw.length; at += 9) {
      pieces.push({ type: 'tool-call-delta', index, text: raw.slice(at, at + 9) })
    }
    pieces.push({ type: 'block-end', index })
  }
  return [...pieces, { type: 'finish', reason: { kind: 'tool-calls' } }]
}

/** Ids of its own, one that it uses again and again, and one that no provider takes. */
function drawCallId(random: Random, own: string): string {
  return draw(random, [own, own, own, 'again', 'not an id!'])
}

function drawText(random: Random, index: number, most: number): StreamChunk[] {
  const type = random() < 0.2 ? 'reasoning-delta' : 'text-delta'
  const count = drawCount(random, 1, most)
  const deltas = Array.from({ length: count }, (): StreamChunk => {
    return {
      type,
      index,
      text: draw(random, ['word ', 'and ', '\n', ' ', 'ü\u2028', '\ud83d', '\ude00', 'end.']),
    }
  })
  return type === 'text-delta'
    ? deltas
    : [...deltas, { type: 'block-end', index, replay: { signature: 's' } }]
}

/** The pieces as a provider sends them: in bursts. */
async function* paced(random: Random, pieces: readonly Piece[]): AsyncGenerator<StreamChunk> {
  for (const piece of pieces) {
    if (random() < 0.1) await setTimeout(drawCount(random, 1, 3))
    else if (random() < 0.3) await setImmediate()
    if (piece instanceof LlmError) throw piece
    yield piece
  }
}
