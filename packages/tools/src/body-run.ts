import { type Dispatched } from '@agent-spine/scheduler'
import { HarnessError, type JsonValue } from '@agent-spine/schema'
import { type Batch } from './batch.js'
import { openBody } from './body-context.js'
import { deferred } from './deferred.js'
import { nestExecuteHooks } from './execute-hooks.js'
import { type AdmittedExecution, type ToolSettled } from './execution.js'
import { linkSignals, type SignalSource } from './link-signals.js'
import {
  type Circumstances,
  neverRan,
  outcomeUnknown,
  type Settlement,
  settledAs,
  timeUp,
} from './run-outcome.js'
import { StopSwitch } from './stop-switch.js'
import { startLimit } from './timer.js'

/*
 * Runs the execute hooks and the body of one call, and answers once.
 *
 * B1. A body starts only while the run is open: not after an abort, the time limit, an abandonment or the answer.
 * B2. `beforeBody` is awaited once, before the first body; then the caller's signal is read again. If it fails, the run
 *     rejects, whatever the hooks make of that.
 * B3. A body's signal aborts with the caller's, with that of every hook around it, at the time limit, and when the hooks
 *     have answered without waiting for the body. No hook can detach it.
 * B4. A body that still runs when its call is answered or abandoned is busy until it settles.
 * B5. What a body returned outranks every reason to stop it.
 * B6. An abort before the body answers at once, except while `beforeBody` is writing.
 * B7. No timer, no listener and no unhandled rejection is left, also when a body settles after the answer.
 */

type Answer = Dispatched<ToolSettled>

const nothing = (): void => undefined

/** The run of one call's hooks and body. */
export class BodyRun {
  readonly #batch: Batch
  readonly #execution: AdmittedExecution
  readonly #caller: AbortSignal
  /** Aborts every body of this run. */
  readonly #stop = new StopSwitch()
  #timeUp: DOMException | undefined
  /** Where the next answer goes: to the scheduler; after a guess, to `late`. */
  #answer = deferred<Answer>()
  #open = true
  #reaching: Promise<void> | undefined
  #isReaching = false
  #reached = false
  #failure: { readonly error: unknown } | undefined
  #runningBodies = 0
  #lastBody: Settlement | undefined
  /** How the hooks failed while a body was running. */
  #gaveUp: Settlement | undefined
  #releaseBusy: (() => void) | undefined
  #stopTimer = nothing
  #unlinkCaller = nothing

  constructor(batch: Batch, execution: AdmittedExecution, caller: AbortSignal) {
    this.#batch = batch
    this.#execution = execution
    this.#caller = caller
  }

  /** Rejects only for a failure of the log: `beforeBody`, or `subCall`. */
  start(): Promise<Answer> {
    const { promise } = this.#answer
    this.#unlinkCaller = this.#batch.aborts.once(this.#caller, () => this.#onCallerAbort())
    const run = nestExecuteHooks(this.#batch.hooks, this.#execution, signals => this.#runBody(signals))
    void run([this.#stop]).then(
      value => this.#onHooksSettled({ value }),
      (error: unknown) => this.#onHooksSettled({ error }),
    )
    return promise
  }

  /** What to commit for a call that will not be waited for any longer. */
  abandon(): Answer {
    this.#close()
    this.#holdWhileRunning()
    return this.#reached ? outcomeUnknown() : neverRan()
  }

  async #runBody(signals: readonly SignalSource[]): Promise<JsonValue> {
    this.#assertOpen()
    await (this.#reaching ??= this.#reachBody())
    this.#assertOpen()
    this.#reached = true
    const { tool, args } = this.#execution
    const linked = linkSignals(signals)
    const body = openBody(this.#batch, this.#execution, {
      stop: linked,
      onFailure: error => (this.#failure ??= { error }),
    })
    this.#runningBodies++
    try {
      const value = await tool.execute(args, body.context)
      this.#lastBody = { value }
      return value
    } catch (error) {
      this.#lastBody = { error }
      throw error
    } finally {
      const ending = body.end()
      if (ending) await ending
      linked.release()
      this.#runningBodies--
      this.#onBodySettled()
    }
  }

  async #reachBody(): Promise<void> {
    const { beforeBody } = this.#batch.options
    this.#isReaching = true
    try {
      if (beforeBody) await beforeBody(this.#execution.call.callId)
    } catch (error) {
      this.#failure ??= { error }
      this.#conclude({ error })
      throw error
    } finally {
      this.#isReaching = false
    }
    if (this.#caller.aborted) this.#concludeAs(neverRan())
    this.#assertOpen()
    const { timeoutMs = Infinity } = this.#execution.tool
    this.#startTimer(() => this.#onTimeUp(), timeoutMs)
  }

  #assertOpen(): void {
    if (this.#stop.isStopped) throw this.#stop.reason
    if (!this.#open)
      throw new HarnessError('CALL_IS_OVER', 'this call has its outcome; its body cannot run again')
  }

  #onCallerAbort(): void {
    // From here on, the scheduler's grace decides.
    this.#stopTimer()
    this.#stop.stop(this.#caller.reason)
    if (!this.#reaching) this.#concludeAs(neverRan())
  }

  #onTimeUp(): void {
    this.#timeUp = timeUp(this.#execution.tool.timeoutMs)
    this.#stop.stop(this.#timeUp)
    this.#startTimer(() => this.#guess(), this.#batch.abortGraceMs)
  }

  #onHooksSettled(settlement: Settlement): void {
    this.#open = false
    const settle = (): void => this.#settle(settlement)
    // Hooks may answer without waiting for the log, but the log has a say.
    if (this.#isReaching) void this.#reaching?.then(settle, settle)
    else settle()
  }

  #settle(settlement: Settlement): void {
    if (this.#runningBodies > 0 && !this.#stop.isStopped) {
      this.#stop.stop(new DOMException('the hooks around this call have answered', 'AbortError'))
      this.#startTimer(() => this.#guess(), this.#batch.abortGraceMs)
    }
    if (this.#runningBodies === 0 || 'value' in settlement) this.#conclude(settlement)
    else this.#gaveUp = settlement
  }

  #onBodySettled(): void {
    if (this.#runningBodies > 0) return
    this.#releaseBusy?.()
    if (!this.#gaveUp) return
    const value = this.#lastBody && 'value' in this.#lastBody ? this.#lastBody : undefined
    this.#conclude(value ?? this.#gaveUp)
  }

  /** Answers on a guess; the truth goes to `late`. */
  #guess(): void {
    if (this.#failure) {
      this.#conclude(this.#failure)
      return
    }
    const late = deferred<Answer>()
    late.promise.catch(() => undefined)
    const { resolve } = this.#answer
    this.#answer = late
    this.#close()
    this.#holdWhileRunning()
    resolve({ ...outcomeUnknown(), late: late.promise })
  }

  #conclude(settlement: Settlement): void {
    if (!this.#failure) {
      this.#concludeAs(settledAs(settlement, this.#circumstances()))
      return
    }
    this.#close()
    this.#holdWhileRunning()
    this.#answer.reject(this.#failure.error)
  }

  #concludeAs(answer: Answer): void {
    this.#close()
    this.#holdWhileRunning()
    this.#answer.resolve(answer)
  }

  #circumstances(): Circumstances {
    return {
      tool: this.#execution.tool,
      reached: this.#reached,
      timeUp: this.#timeUp,
      stop: this.#stop,
      caller: this.#caller,
    }
  }

  #close(): void {
    this.#open = false
    this.#stopTimer()
    this.#unlinkCaller()
  }

  #startTimer(expire: () => void, delayMs: number): void {
    this.#stopTimer = startLimit(this.#batch.startTimer, expire, delayMs)
  }

  #holdWhileRunning(): void {
    if (this.#runningBodies === 0) return
    const { call, mode, tool } = this.#execution
    this.#releaseBusy ??= this.#batch.busy.hold({ mode, toolName: tool.name, callId: call.callId })
  }
}
