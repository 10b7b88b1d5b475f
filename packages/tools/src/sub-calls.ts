import { TOOL_ABORTED_BEFORE_DISPATCH } from '@agent-spine/model'
import { type CallJournal, runStagedCalls } from '@agent-spine/scheduler'
import { HarnessError } from '@agent-spine/schema'
import { type Batch, type Stages } from './batch.js'
import { type SubCallEvent } from './bound-tools.js'
import { type Execution, type ToolSettled } from './execution.js'
import { linkSignals } from './link-signals.js'
import { type ToolOutcome, unrunOutcome } from './outcome.js'
import { StopSwitch } from './stop-switch.js'
import { type SubCallRequest, type ToolContext } from './tool.js'
import { type ToolCall } from './tool-call.js'

/** What sub-calls need of the body that makes them. */
export interface CallingBody {
  readonly execution: Execution
  readonly context: Pick<ToolContext, 'signal' | 'deferContext' | 'concludeTurn'>
  /** Told when a stage or the log fails, which is no outcome of any call. */
  readonly onFailure: (error: unknown) => void
}

/** The calls that one run of a body makes, through the scheduler like any others. */
export class SubCalls {
  readonly #batch: Batch
  readonly #body: CallingBody
  readonly #ended = new StopSwitch()
  #isOver = false
  readonly #running = new Set<Promise<unknown>>()

  constructor(batch: Batch, body: CallingBody) {
    this.#batch = batch
    this.#body = body
  }

  /** Runs `requests` and answers their outcomes in order. */
  call(requests: readonly SubCallRequest[]): Promise<readonly ToolOutcome[]> {
    const run = this.#run(requests)
    const settled: Promise<unknown> = run.catch(() => undefined).then(() => this.#running.delete(settled))
    this.#running.add(settled)
    return run
  }

  /** Cancels what still runs, and waits for it; answers nothing where nothing runs. */
  end(): Promise<unknown> | undefined {
    this.#isOver = true
    if (this.#running.size === 0) return undefined
    this.#ended.stop(new DOMException('the tool that made this call has ended', 'AbortError'))
    return Promise.all(this.#running)
  }

  async #run(requests: readonly SubCallRequest[]): Promise<readonly ToolOutcome[]> {
    if (this.#isOver) throw new HarnessError('CALL_IS_OVER', 'callTools was called after its body ended')
    const { abortGraceMs, startTimer, maxParallelSubCalls, options } = this.#batch
    const { execution, context, onFailure } = this.#body
    const { callId } = execution.call
    const calls = requests.map(request => toCall(request, `${callId}.${execution.subCallCount++}`))
    const stages = this.#batch.stages({
      ...this.#batch,
      parentCallId: callId,
      options: {
        ...options,
        beforeBody: undefined,
        context: (_, message) => context.deferContext(message),
        concludeTurn: () => context.concludeTurn(),
      },
    })
    const outcomes: ToolOutcome[] = []
    const journal = subCallJournal(stages, callId, event => {
      options.subCall?.(event)
      if (event.kind === 'result' && !event.late) outcomes.push(event.outcome)
    })
    const linked = linkSignals([context, this.#ended])
    const limits = { maxParallel: maxParallelSubCalls, signal: linked.signal, abortGraceMs, startTimer }
    try {
      await runStagedCalls(calls, stages, journal, limits)
      return outcomes
    } catch (error) {
      onFailure(error)
      throw error
    } finally {
      linked.release()
    }
  }
}

type SubCallJournal = CallJournal<ToolCall, Execution, ToolSettled, ToolOutcome>

/** Every call gets one `call` event, then one `result` event, which come in call order. */
function subCallJournal(
  stages: Stages,
  parentCallId: string,
  emit: (event: SubCallEvent) => void,
): SubCallJournal {
  return {
    started: call => emit({ kind: 'call', parentCallId, call }),
    committed: (call, outcome) => emit({ kind: 'result', parentCallId, call, outcome }),
    skipped: call => {
      emit({ kind: 'call', parentCallId, call, skipped: true })
      emit({ kind: 'result', parentCallId, call, outcome: unrunOutcome(TOOL_ABORTED_BEFORE_DISPATCH) })
    },
    late: async (call, execution, { kind, settled }) => {
      const close = kind === 'post-result' ? stages.finalize : stages.finish
      emit({ kind: 'result', parentCallId, call, outcome: await close(execution, settled), late: true })
    },
  }
}

/** The dot keeps these ids apart from those of any model. */
function toCall({ name, arguments: value }: SubCallRequest, callId: string): ToolCall {
  return { callId, name, arguments: typeof value === 'string' ? value : JSON.stringify(value) }
}
