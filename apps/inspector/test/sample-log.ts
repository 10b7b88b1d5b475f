import {
  TOOL_ABORTED,
  TOOL_ABORTED_BEFORE_DISPATCH,
  unrunError,
  unrunResult,
  type AssistantBlock,
  type TokenUsage,
  type UnrunCode,
} from '@agent-spine/model'
import { interruptedTurnClosers } from '@agent-spine/repair'
import {
  replaySession,
  type Session,
  type SessionEvent,
  type ToolCallData,
  type TurnEndReason,
} from '@agent-spine/session'

/** Writes logs as a loop would, with a clock that only the test moves. */
export class LogWriter {
  readonly #session: Session
  now = 1_800_000_000_000
  #turn = -1
  #step = -1
  #ids = 0

  constructor(id = 'sample') {
    this.#session = replaySession([], { id, clock: () => this.now })
  }

  get events(): readonly SessionEvent[] {
    return this.#session.events
  }

  get #scope() {
    return { turn: this.#turn, step: this.#step }
  }

  wait(ms: number): this {
    this.now += ms
    return this
  }

  turn(): this {
    this.#turn += 1
    this.#step = -1
    this.#session.append('turn/start', { turn: this.#turn, dispatchMarked: true })
    return this
  }

  endTurn(reason: TurnEndReason = { kind: 'completed' }): this {
    this.#session.append('turn/end', { turn: this.#turn, reason })
    return this
  }

  step(): this {
    this.#step += 1
    this.#session.append('step/start', this.#scope)
    return this
  }

  endStep(): this {
    this.#session.append('step/end', this.#scope)
    return this
  }

  says(text: string): this {
    const id = `u${this.#ids++}`
    const message = { id, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] } as const
    this.#session.append('user/message', { message })
    return this
  }

  /** One model call that streams `text` word by word and asks for calls. */
  answers(
    text: string,
    calls: readonly (readonly [id: string, name: string, args: unknown])[] = [],
    usage?: TokenUsage,
  ): this {
    const scope = { ...this.#scope, attempt: 0 }
    this.#session.append('attempt/start', scope)
    const seqs = (text.match(/\S+\s*/g) ?? []).map(word => {
      this.wait(15)
      const chunk = { type: 'text-delta', index: 0, text: word } as const
      return this.#session.append('assistant/chunk', { ...scope, chunk }).seq
    })
    const content: AssistantBlock[] = [
      { type: 'text', text },
      ...calls.map(([id, name, args]) => ({ type: 'tool-call' as const, id, name, arguments: json(args) })),
    ]
    const source = { kind: 'model', provider: 'acme', model: 'large' } as const
    const message = { id: `a${this.#ids++}`, role: 'assistant', source, content } as const
    this.#session.append('assistant/message', { ...this.#scope, message }, { sourceEventSeqs: seqs })
    this.#session.append('attempt/end', { ...scope, ...(usage && { usage }) })
    return this
  }

  #started = new Map<string, number>()

  starts(callId: string, name: string, args: unknown): this {
    return this.#call({ callId, name, arguments: json(args) })
  }

  /** A call that was cancelled before anything of it was started. */
  skips(callId: string, name: string, args: unknown): this {
    this.#call({ callId, name, arguments: json(args), skipped: true })
    return this.unrun(callId, TOOL_ABORTED_BEFORE_DISPATCH)
  }

  #call(call: Omit<ToolCallData, 'turn' | 'step'>): this {
    this.#started.set(call.callId, this.#session.append('tool/call', { ...this.#scope, ...call }).seq)
    return this
  }

  dispatches(callId: string): this {
    this.#session.append('tool/dispatch', { callId })
    return this
  }

  results(callId: string, text: string, error?: { readonly name: string; readonly code?: string }): this {
    const isError = error === undefined ? {} : ({ isError: true } as const)
    const block = {
      type: 'tool-result',
      toolCallId: callId,
      content: [{ type: 'text', text }],
      ...isError,
    } as const
    const message = {
      id: `result_${callId}`,
      role: 'user',
      source: { kind: 'tool', callId },
      content: [block],
    } as const
    this.#session.append(
      'tool/result',
      { ...this.#scope, message, ...(error && { error }) },
      { sourceEventSeqs: [this.#started.get(callId) ?? 0] },
    )
    return this
  }

  unrun(callId: string, code: UnrunCode): this {
    this.#session.append(
      'tool/result',
      { ...this.#scope, message: unrunResult(callId, code), error: unrunError(code) },
      { sourceEventSeqs: [this.#started.get(callId) ?? 0] },
    )
    return this
  }

  /** An outcome that the process wrote as it failed, out of its turn. */
  late(callId: string, text: string): this {
    const content = [{ type: 'text', text }] as const
    const message = {
      id: `result_${callId}`,
      role: 'user',
      source: { kind: 'tool', callId },
      content: [{ type: 'tool-result', toolCallId: callId, content }],
    } as const
    this.#session.append('tool/late', { ...this.#scope, message })
    return this
  }

  /** Another process opens the session. */
  owner(lostTail = false): this {
    this.#session.append('session/owner', { owner: 'another', ...(lostTail && { lostTail }) })
    return this
  }

  /** Puts a summary where everything from one event to another stood. */
  compacts(start: number, end: number): this {
    const id = `u${this.#ids++}`
    const content = [{ type: 'text', text: 'What happened so far, in short.' }] as const
    const message = { id, role: 'user', source: { kind: 'plugin', name: 'compaction' }, content } as const
    this.#session.append('user/message', { message }, { surfaceOp: { replace: { start, end } } })
    return this
  }

  repairs(): this {
    for (const closer of interruptedTurnClosers(this.events)) this.#session.appendAll([closer])
    return this
  }
}

function json(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args)
}

const usage = { inputTokens: 1200, outputTokens: 180, cacheReadTokens: 800, reasoningTokens: 60 }
const tested = (directory: string, durationMs: number) =>
  JSON.stringify({ directory, outcome: 'passed', passed: 4, failed: 0, durationMs })

/**
 * Three turns: one that completed, with overlap, a wait for order, a barrier and a refused call; one that was cancelled
 * while calls ran and left one skipped; and one that was killed, repaired a day later, with one outcome unknown.
 */
export function sampleLog(): readonly SessionEvent[] {
  const log = new LogWriter()
  log.turn().step().says('run the tests of A, B and C and write the outcome to report.md')
  const tests = ['A', 'B', 'C'].map((directory, index) => [`c${index}`, 'run_tests', { directory }] as const)
  const report = ['c3', 'write_report', { path: 'report.md' }] as const
  const bad = ['c4', 'edit_file', { path: '../outside' }] as const
  log
    .wait(20)
    .answers('I will run the tests of all three, then write the report.', [...tests, report, bad], usage)
  for (const [id, name, args] of tests) log.wait(12).starts(id, name, args).wait(30).dispatches(id)
  log.wait(2600).results('c0', tested('A', 2550)).wait(900).results('c1', tested('B', 3450))
  log.results('c2', tested('C', 1700)).wait(3)
  log
    .starts(...report)
    .wait(4)
    .dispatches('c3')
    .wait(220)
    .results('c3', 'Wrote report.md (1349 bytes).')
  log.starts(...bad).wait(35)
  log.results('c4', 'The path leaves the workspace.', { name: 'ToolError', code: 'DENIED' }).endStep()
  log.wait(10).step().answers('All passed. The report is in report.md.', [], usage).endStep().endTurn()

  log.wait(60_000).turn().step().says('again, please')
  const again = ['D', 'E'].map((directory, index) => [`d${index}`, 'run_tests', { directory }] as const)
  const second = ['d2', 'write_report', { path: 'second.md' }] as const
  log.wait(30).answers('Once more.', [...again, second], usage)
  for (const [id, name, args] of again) log.wait(10).starts(id, name, args).wait(25).dispatches(id)
  log.wait(1400)
  const stopped = 'This call was cancelled while it ran, and stopped. It may have done part of its work.'
  for (const [id] of again) log.results(id, stopped, { name: 'AbortError', code: TOOL_ABORTED })
  log.skips(...second)
  log.endStep().endTurn({ kind: 'aborted', cause: { kind: 'user' } })

  log.wait(86_400_000).turn().step().says('deploy it')
  const deploy = ['e0', 'deploy', { target: 'production' }] as const
  const announce = ['e1', 'announce', { channel: '#releases' }] as const
  log
    .wait(30)
    .answers('Deploying.', [deploy, announce], usage)
    .starts(...deploy)
    .wait(30)
    .dispatches('e0')
    .wait(800)
  return log.repairs().events
}

/** The process died while two calls ran, and before the last two were started. The last event is 2 s after the start. */
export function killedLog(): LogWriter {
  const log = new LogWriter('killed')
  const tests = ['A', 'B'].map((directory, index) => [`k${index}`, 'run_tests', { directory }] as const)
  const rest = ['k2', 'k3'].map(id => [id, 'write_report', { path: `${id}.md` }] as const)
  log
    .turn()
    .step()
    .says('test both, then report twice')
    .wait(1000)
    .answers('', [...tests, ...rest])
  for (const [id, name, args] of tests) log.wait(490).starts(id, name, args).wait(10).dispatches(id)
  return log
}

/** The harness failed 5 ms after the second of two running calls had told its outcome; a third was never started. */
export function failedLog(): LogWriter {
  const log = new LogWriter('failed')
  const tests = ['A', 'B'].map((directory, index) => [`f${index}`, 'run_tests', { directory }] as const)
  log
    .turn()
    .step()
    .says('test both, then report')
    .answers('', [...tests, ['f2', 'write_report', { path: 'f2.md' }]])
  for (const [id, name, args] of tests) log.wait(10).starts(id, name, args).wait(1).dispatches(id)
  log.wait(12).late('f1', 'B: 3 passed').wait(5).endStep()
  return log.endTurn({ kind: 'error', failure: { code: 'UNKNOWN', message: 'a bug of the harness' } })
}

/** Text that would run, or act, wherever it is taken for anything but text. */
export const hostileTexts = [
  '</script><script>document.title = "PWNED"</script>',
  '<!--<script>',
  '<img src=x onerror="document.title = \'PWNED\'">',
  '</style><svg onload="document.title = \'PWNED\'">',
  'a\u2028b\u2029c',
  '\u001b[31mred\u001b[0m \u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007 \u0000 \u009b2J',
  '\u202egnp.exe\u2066 \u200b',
  '{{constructor.constructor("document.title = \'PWNED\'")()}}',
  'javascript:document.title="PWNED"',
  '\ud800 lone',
]

/** A log in which every place that can hold a text holds a hostile one. */
export function hostileLog(): readonly SessionEvent[] {
  const log = new LogWriter()
  for (const [index, text] of hostileTexts.entries()) {
    const call = [`h${index}`, `tool ${text}`, { path: text }] as const
    log
      .turn()
      .step()
      .says(text)
      .answers(text, [call])
      .starts(...call)
      .dispatches(call[0])
      .wait(5)
    log.results(call[0], text, { name: text, code: text }).endStep()
    log.endTurn({ kind: 'error', failure: { code: 'UNKNOWN', message: text } })
  }
  return log.events
}

/** A long session: many turns of a few calls, each with a long streamed answer. */
export function longLog(least: number): readonly SessionEvent[] {
  const log = new LogWriter('long')
  const words = 'lorem ipsum dolor sit amet consectetur adipiscing elit '.repeat(10)
  for (let turn = 0; log.events.length < least; turn++) {
    const calls = Array.from(
      { length: 4 },
      (_, index) => [`t${turn}_${index}`, 'look', { path: `file-${index}` }] as const,
    )
    log.wait(3000).turn().step().says(`question ${turn}`).answers(words, calls, usage)
    for (const [id, name, args] of calls) log.wait(3).starts(id, name, args).wait(2).dispatches(id)
    for (const [id] of calls) {
      if (turn % 50 === 7) log.wait(40).results(id, 'No such file.', { name: 'ToolError', code: 'NOT_FOUND' })
      else log.wait(40).results(id, 'what the file holds\n'.repeat(5))
    }
    log.endStep().endTurn()
  }
  return log.events
}
