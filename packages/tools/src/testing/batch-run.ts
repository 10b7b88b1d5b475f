import { runStagedCalls, type RunSummary } from '@agent-spine/scheduler'
import { type BindOptions } from '../bound-tools.js'
import { type ToolExecution, type ToolSettled } from '../execution.js'
import { type ToolOutcome } from '../outcome.js'
import { type ToolRuntime } from '../runtime.js'
import { type ToolCall } from '../tool-call.js'

/** How a batch is run. */
export interface BatchRunOptions {
  readonly bind?: BindOptions
  readonly signal?: AbortSignal
  readonly maxParallel?: number
}

/** What a journal saw of a batch. */
export interface BatchRun {
  /** `start ID`, `commit ID`, `skip ID`, `late ID`, in order. */
  readonly events: string[]
  readonly outcomes: Map<string, ToolOutcome>
  readonly late: Map<string, ToolSettled>
  readonly done: Promise<RunSummary>
}

/** Runs calls through the real scheduler. */
export function runBatch(
  runtime: ToolRuntime,
  calls: readonly ToolCall[],
  options: BatchRunOptions = {},
): BatchRun {
  const events: string[] = []
  const outcomes = new Map<string, ToolOutcome>()
  const late = new Map<string, ToolSettled>()
  const { bind = {}, signal, maxParallel } = options
  const journal = {
    started: ({ callId }: ToolCall) => void events.push(`start ${callId}`),
    committed: ({ callId }: ToolCall, outcome: ToolOutcome) => {
      events.push(`commit ${callId}`)
      outcomes.set(callId, outcome)
    },
    skipped: ({ callId }: ToolCall) => void events.push(`skip ${callId}`),
    late: ({ callId }: ToolCall, _: ToolExecution, { settled }: { readonly settled: ToolSettled }) => {
      events.push(`late ${callId}`)
      late.set(callId, settled)
    },
  }
  const { abortGraceMs, startTimer } = bind
  const done = runStagedCalls(calls, runtime.bind(bind), journal, {
    signal,
    maxParallel,
    abortGraceMs,
    startTimer,
  })
  done.catch(() => undefined)
  return { events, outcomes, late, done }
}

/** A call with arguments as a model would write them. */
export function toolCall(callId: string, name: string, args: object | string = {}): ToolCall {
  return { callId, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
}

/** The text that the model reads. */
export function textOf(outcome: ToolOutcome | undefined): string {
  return (outcome?.content ?? [])
    .map(block => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n')
}

/** Lets everything happen that waits for nothing but promises. */
export async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve()
}
