import {
  BlockAssembler,
  unrunError,
  unrunResult,
  type LlmFailure,
  type StreamChunk,
  type ToolCallBlock,
  type UnrunCode,
  type UserMessage,
} from '@agent-spine/model'
import type { EventDraft, SessionEvent, TurnEndReason } from '@agent-spine/session'
import { interruptedTurnClosers } from './closers.js'

/** Draws a whole number below `count`; 0 where `count` is 0. */
type Choose = (count: number) => number

/**
 * Test support: a log as a loop would write it, over several turns, with everything that can happen to one: retries,
 * cancellation, failure, denied, skipped, late and nested calls, steering, compaction, crashes with and without a lost tail.
 */
export function randomLog(choose: Choose): SessionEvent[] {
  const log = new RandomLog(choose)
  const turns = 1 + choose(4)
  for (let turn = 0; turn < turns; turn++) log.writeTurn(turn)
  return log.events
}

type StepOutcome = 'calls' | 'answer' | TurnEndReason
type Scope = { readonly turn: number; readonly step: number }

const user: UserMessage['source'] = { kind: 'user' }
const aborted: TurnEndReason = { kind: 'aborted', cause: { kind: 'user' } }
const failure: LlmFailure = { code: 'OVERLOADED', message: 'busy' }
const failed: TurnEndReason = { kind: 'error', failure }

class RandomLog {
  events: SessionEvent[] = []
  #ids = 0
  #choose: Choose
  #marked = true

  constructor(choose: Choose) {
    this.#choose = choose
  }

  writeTurn(turn: number): void {
    for (const closer of interruptedTurnClosers(this.events)) this.#append(closer)
    if (this.#maybe()) this.#compact()
    const start = this.events.length
    this.#marked = !this.#maybe()
    this.#append({
      type: 'turn/start',
      data: this.#marked ? { turn, dispatchMarked: true } : { turn },
    })
    const steps = this.#choose(5)
    let outcome: StepOutcome = { kind: 'completed' }
    for (let step = 0; step < steps; step++) {
      outcome = this.#writeStep({ turn, step }, step === 0 || outcome === 'answer')
      if (typeof outcome === 'object') break
    }
    const reason: TurnEndReason = typeof outcome === 'object' ? outcome : { kind: 'completed' }
    this.#append({ type: 'turn/end', data: { turn, reason } })
    if (this.#maybe()) this.#crash(start + 1)
  }

  #writeStep(scope: Scope, needsInput: boolean): StepOutcome {
    this.#append({ type: 'step/start', data: scope })
    if (needsInput || this.#maybe()) this.#input()
    if (scope.step === 0 && (scope.turn === 0 || this.#maybe())) {
      const config = { provider: 'acme', model: `model-${scope.turn}` }
      this.#append({ type: 'request/header', data: { header: { config }, reason: 'change' } })
    }
    let attempt = 0
    for (; attempt < 2 && this.#maybe(); attempt++) {
      this.#writeChunks({ ...scope, attempt }, this.#answer(0))
      this.#append({ type: 'attempt/end', data: { ...scope, attempt, failure } })
      if (this.#maybe()) this.#compact()
    }
    const outcome = this.#writeAttempt({ ...scope, attempt })
    this.#append({ type: 'step/end', data: scope })
    return outcome
  }

  #writeAttempt(scope: Scope & { readonly attempt: number }): StepOutcome {
    const ending = this.#pick<'complete' | TurnEndReason>('complete', 'complete', 'complete', aborted, failed)
    const chunks = this.#answer(this.#choose(4))
    const sent = ending === 'complete' ? chunks : chunks.slice(0, this.#choose(chunks.length))
    const sourceEventSeqs = this.#writeChunks(scope, sent)
    const assembler = new BlockAssembler()
    for (const chunk of sent) assembler.push(chunk)
    const content = ending === 'complete' ? assembler.blocks() : assembler.interruptedBlocks()
    const { turn, step, attempt } = scope
    const message: EventDraft<'assistant/message'> = {
      type: 'assistant/message',
      data: {
        turn,
        step,
        message: {
          id: `assistant_${turn}_${step}_${attempt}`,
          role: 'assistant',
          source: { kind: 'model', provider: 'acme', model: 'model-0' },
          content,
        },
        ...(ending !== 'complete' && { interrupted: true }),
      },
      sourceEventSeqs,
    }
    const end: EventDraft<'attempt/end'> = {
      type: 'attempt/end',
      data: ending === 'complete' ? scope : { ...scope, failure: { code: 'ABORTED', message: 'cancelled' } },
    }
    if (ending !== 'complete' && content.length === 0) this.#append(end)
    else for (const event of this.#maybe() ? [end, message] : [message, end]) this.#append(event)
    if (ending !== 'complete') return ending
    const calls = content.filter(block => block.type === 'tool-call')
    return calls.length === 0 ? 'answer' : this.#runCalls({ turn, step }, calls)
  }

  /** Some calls run; then all do, or the turn is cancelled, or it fails. */
  #runCalls(scope: Scope, calls: readonly ToolCallBlock[]): StepOutcome {
    const outcome = this.#pick<StepOutcome>('calls', 'calls', 'calls', aborted, failed, failed)
    const running = outcome === 'calls' ? calls.length : this.#choose(calls.length + 1)
    for (let start = 0; start < running;) {
      const group = calls.slice(start, start + 1 + this.#choose(running - start))
      start += group.length
      const started = group.map(call => this.#start(scope, call))
      for (const { call, callSeq } of started) this.#answerCall(scope, call, callSeq)
    }
    const rest = calls.slice(running)
    if (outcome === aborted) for (const call of rest) this.#skip(scope, call)
    if (outcome === failed) {
      const startedCalls = rest.slice(0, this.#choose(rest.length + 1))
      for (const call of startedCalls) this.#start(scope, call)
      for (const { id } of startedCalls) if (this.#choose(2) === 0) this.#late(scope, id)
    }
    return outcome
  }

  #start(scope: Scope, call: ToolCallBlock): { call: ToolCallBlock; callSeq: number } {
    const callSeq = this.#append({
      type: 'tool/call',
      data: { ...scope, callId: call.id, name: call.name, arguments: call.arguments },
    })
    if (this.#marked && !this.#maybe()) {
      this.#append({ type: 'tool/dispatch', data: { callId: call.id } })
      if (this.#maybe()) this.#nest(scope, call.id)
    }
    return { call, callSeq }
  }

  #nest(scope: Scope, parentCallId: string): void {
    const callId = this.#id('nested')
    this.#append({
      type: 'tool/sub-call',
      data: { ...scope, parentCallId, callId, name: 'inner', arguments: '' },
    })
    if (this.#maybe()) return
    this.#append({
      type: 'tool/sub-result',
      data: { ...scope, parentCallId, message: resultOf(callId, 'inner') },
    })
  }

  #answerCall(scope: Scope, { id }: ToolCallBlock, callSeq: number): void {
    if (!this.#maybe()) {
      this.#append({
        type: 'tool/result',
        data: { ...scope, message: resultOf(id, 'fine') },
        sourceEventSeqs: [callSeq],
      })
      return
    }
    this.#unrun(scope, id, { code: 'TOOL_OUTCOME_UNKNOWN', cited: callSeq })
    if (this.#maybe()) this.#late(scope, id)
  }

  #skip(scope: Scope, { id, name, arguments: raw }: ToolCallBlock): void {
    const cited = this.#append({
      type: 'tool/call',
      data: { ...scope, callId: id, name, arguments: raw, skipped: true },
    })
    this.#unrun(scope, id, { code: 'ABORTED_BEFORE_DISPATCH', cited })
  }

  #unrun(scope: Scope, callId: string, { code, cited }: { code: UnrunCode; cited: number }): void {
    this.#append({
      type: 'tool/result',
      data: { ...scope, message: unrunResult(callId, code), error: unrunError(code) },
      sourceEventSeqs: [cited],
    })
  }

  #late(scope: Scope, callId: string): void {
    this.#append({ type: 'tool/late', data: { ...scope, message: resultOf(callId, 'it did finish') } })
  }

  /** What a model might stream, with `calls` calls. */
  #answer(calls: number): StreamChunk[] {
    const chunks: StreamChunk[] = []
    if (this.#maybe()) {
      chunks.push({ type: 'reasoning-delta', index: 0, text: this.#pick('hm', '', ' \n') })
      chunks.push({ type: 'block-end', index: 0, ...(this.#maybe() && { replay: { signature: 'x' } }) })
    }
    for (let pieces = this.#choose(3); pieces > 0; pieces--) {
      chunks.push({ type: 'text-delta', index: 1, text: this.#pick('word ', ' ', '\n', '\ud83d', '\ude00') })
    }
    for (let call = 0; call < calls; call++) {
      const id = this.#id('call')
      const raw = this.#pick('{}', '', '{"a":1}', 'not json', '[1]')
      chunks.push({
        type: 'block-start',
        index: 2 + call,
        block: { type: 'tool-call', id, name: 'read' },
      })
      chunks.push({ type: 'tool-call-delta', index: 2 + call, text: raw })
    }
    if (this.#maybe()) chunks.push({ type: 'usage', usage: { inputTokens: 5, outputTokens: 7 } })
    chunks.push({ type: 'finish', reason: { kind: calls > 0 ? 'tool-calls' : 'stop' } })
    return chunks
  }

  #writeChunks(scope: Scope & { readonly attempt: number }, chunks: readonly StreamChunk[]): number[] {
    this.#append({ type: 'attempt/start', data: scope })
    return chunks.map(chunk => {
      if (this.#maybe()) this.#queue()
      return this.#append({ type: 'assistant/chunk', data: { ...scope, chunk } })
    })
  }

  #queue(): string {
    const inboxId = this.#id('inbox')
    const inserted = [{ inboxId, message: this.#words() }]
    this.#append({ type: 'inbox/spliced', data: { target: 'next-step', start: 0, removed: [], inserted } })
    return inboxId
  }

  #input(): void {
    const inboxId = this.#queue()
    this.#append({
      type: 'inbox/spliced',
      data: { target: 'next-step', start: 0, removed: [inboxId], inserted: [], outcome: 'committed' },
    })
    this.#append({ type: 'user/message', data: { message: this.#words(), inboxId } })
  }

  #words(source = user): UserMessage {
    return { id: this.#id('user'), role: 'user', source, content: [{ type: 'text', text: 'do it' }] }
  }

  /** Replaces some of what the model sees by a summary, without tearing a call from its result. */
  #compact(): void {
    const surface = surfaceOf(this.events)
    const starts = surface.filter(event => event.type !== 'tool/result')
    const start = starts[this.#choose(starts.length)]
    if (start === undefined) return
    const ends = surface.filter(
      (_event, index) => index >= surface.indexOf(start) && surface[index + 1]?.type !== 'tool/result',
    )
    const end = ends[this.#choose(ends.length)] ?? start
    this.#append({
      type: 'user/message',
      data: { message: this.#words({ kind: 'plugin', name: 'compact' }) },
      surfaceOp: { replace: { start: start.seq, end: end.seq } },
    })
  }

  #crash(earliest: number): void {
    this.events = this.events.slice(0, earliest + this.#choose(this.events.length - earliest + 1))
    const owner = this.#id('owner')
    this.#append({ type: 'session/owner', data: this.#maybe() ? { owner, lostTail: true } : { owner } })
  }

  #append(draft: EventDraft): number {
    const seq = this.events.length
    this.events.push({ seq, time: 1000 + seq, ...draft })
    return seq
  }

  #id(kind: string): string {
    return `${kind}_${this.#ids++}`
  }

  #maybe(): boolean {
    return this.#choose(4) === 3
  }

  #pick<T>(...options: readonly [T, ...T[]]): T {
    return options[this.#choose(options.length)] ?? options[0]
  }
}

function surfaceOf(events: readonly SessionEvent[]): SessionEvent[] {
  const surface: SessionEvent[] = []
  for (const event of events) {
    if (event.type !== 'user/message' && event.type !== 'assistant/message' && event.type !== 'tool/result')
      continue
    if (typeof event.surfaceOp !== 'object') {
      surface.push(event)
      continue
    }
    const { start, end } = event.surfaceOp.replace
    const first = surface.findIndex(({ seq }) => seq === start)
    surface.splice(first, surface.findIndex(({ seq }) => seq === end) - first + 1, event)
  }
  return surface
}

function resultOf(callId: string, text: string): UserMessage {
  return {
    id: `result_${callId}`,
    role: 'user',
    source: { kind: 'tool', callId },
    content: [{ type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text }] }],
  }
}
