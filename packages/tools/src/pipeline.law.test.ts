import { type ExecutionMode } from '@agent-spine/scheduler'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createToolRuntime, defineTool, type Tool, type ToolHooks, toolResultMessage } from './index.js'
import { type BatchRun, microtasks, runBatch, toolCall } from './testing/batch-run.js'
import { handClock } from './testing/hand-clock.js'

/*
 * Random batches through the real scheduler, in two rounds on one runtime, so that bodies which the first round leaves
 * running meet the second. Whatever happens:
 *
 * L1. Every call ends with one commit or one skip, in call order, and every result can be sent to a model.
 * L2. A body runs at most once, only for arguments that fit, and `beforeBody` comes before it.
 * L3. A result that says "did not run" is true; a call whose body returned a value in time keeps it.
 * L4. Bodies that must not overlap do not, bodies that were left running included.
 * L5. When all bodies have settled, nothing is left: no timer, nothing busy, and every guess has had its truth, once.
 */

type Kind = 'parallel' | 'left' | 'right' | 'exclusive'

interface PlannedCall {
  readonly kind: Kind
  readonly fault: 'none' | 'arguments' | 'name' | 'denied'
  /** What the body does when it is told to stop. */
  readonly onAbort: 'throw' | 'ignore'
  readonly ending: 'value' | 'throw' | 'misfit'
}

const plannedCall: fc.Arbitrary<PlannedCall> = fc.record({
  kind: fc.constantFrom<Kind>('parallel', 'left', 'right', 'exclusive'),
  fault: fc.constantFrom('none', 'none', 'none', 'none', 'arguments', 'name', 'denied'),
  onAbort: fc.constantFrom('throw', 'ignore'),
  ending: fc.constantFrom('value', 'value', 'throw', 'misfit'),
})

interface Body {
  readonly callId: string
  readonly mode: ExecutionMode
  running: boolean
  settle(): void
}

const modes: Readonly<Record<Kind, ExecutionMode>> = {
  parallel: { kind: 'parallel' },
  left: { kind: 'parallel', key: 'left' },
  right: { kind: 'parallel', key: 'right' },
  exclusive: { kind: 'exclusive' },
}

function mayOverlap(a: ExecutionMode, b: ExecutionMode): boolean {
  return a.kind === 'parallel' && b.kind === 'parallel' && (a.key === undefined || a.key !== b.key)
}

const neverRan = ['INVALID_ARGS', 'UNKNOWN_TOOL', 'DENIED', 'ABORTED_BEFORE_DISPATCH', 'RESOURCE_BUSY']

function world(plans: readonly PlannedCall[]) {
  const clock = handClock()
  const bodies: Body[] = []
  const marked: string[] = []

  function body(callId: string, kind: Kind, signal: AbortSignal): Promise<unknown> {
    const plan = plans[Number(callId)]
    const mode = modes[kind]
    const overlapping = bodies.filter(other => other.running && !mayOverlap(other.mode, mode))
    expect(overlapping.map(other => other.callId)).toEqual([])
    expect(marked).toContain(callId)
    return new Promise((resolve, reject) => {
      const self: Body = {
        callId,
        mode,
        running: true,
        settle: () => {
          self.running = false
          if (plan?.ending === 'throw') reject(new Error('failed'))
          else resolve(plan?.ending === 'misfit' ? 5 : `value ${callId}`)
        },
      }
      bodies.push(self)
      if (plan?.onAbort !== 'throw') return
      signal.addEventListener('abort', () => {
        self.running = false
        reject(signal.reason as Error)
      })
    })
  }

  const tools = (Object.keys(modes) as Kind[]).map((kind): Tool => {
    const mode = modes[kind]
    return defineTool({
      name: kind,
      description: 'd',
      parameters: { plan: { type: 'integer', required: true } },
      output: { type: 'string' },
      timeoutMs: 100,
      isConcurrencySafe: () => mode.kind === 'parallel',
      conflictKey: () => (mode.kind === 'parallel' ? mode.key : undefined),
      execute: (_, { callId, signal }) => body(callId, kind, signal) as Promise<string>,
    })
  })
  const hooks: ToolHooks = {
    preExecute: ({ callId }) =>
      plans[Number(callId)]?.fault === 'denied' ? { kind: 'deny', reason: 'planned' } : { kind: 'allow' },
  }
  const runtime = createToolRuntime({ tools, hooks })
  const bind = {
    startTimer: clock.startTimer,
    abortGraceMs: 50,
    beforeBody: (callId: string) => void marked.push(callId),
  }
  return { clock, bodies, marked, runtime, bind }
}

function callOf(plan: PlannedCall, id: number) {
  if (plan.fault === 'name') return toolCall(String(id), `${plan.kind}s`, { plan: id })
  return toolCall(String(id), plan.kind, plan.fault === 'arguments' ? { plan: 'x' } : { plan: id })
}

it('L1 – L5 hold for random batches, settle orders, time limits and aborts', async () => {
  const batch = fc.array(plannedCall, { maxLength: 7 })
  const steps = fc.array(fc.nat(99), { minLength: 5, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(batch, batch, steps, async (first, second, choices) => {
      const plans = [...first, ...second]
      const { clock, bodies, marked, runtime, bind } = world(plans)
      const committed = new Map<string, string | undefined>()
      const runs: BatchRun[] = []
      let offset = 0
      const remaining = [...choices]

      for (const round of [first, second]) {
        const calls = round.map((plan, index) => callOf(plan, offset + index))
        offset += round.length
        const controller = new AbortController()
        const run = runBatch(runtime, calls, { signal: controller.signal, maxParallel: 3, bind })
        const isOver = (): boolean =>
          run.outcomes.size + run.events.filter(event => event.startsWith('skip')).length === calls.length
        await microtasks()
        while (!isOver()) {
          const choice = remaining.shift() ?? 50
          const running = bodies.filter(
            body => body.running && calls.some(call => call.callId === body.callId),
          )
          if (choice < 10) controller.abort()
          else if (choice < 40 || running.length === 0) clock.advance(60)
          else running[choice % running.length]?.settle()
          await microtasks()
        }
        await run.done
        const ended = run.events.filter(event => !event.startsWith('start') && !event.startsWith('late'))
        expect(ended.map(event => event.split(' ')[1])).toEqual(calls.map(call => call.callId))
        for (const [callId, outcome] of run.outcomes) {
          committed.set(callId, outcome.error?.code)
          expect(Object.isFrozen(outcome)).toBe(true)
          expect(JSON.parse(JSON.stringify(toolResultMessage(callId, outcome)))).toBeTruthy()
          expect(outcome.content.length).toBeGreaterThan(0)
          const plan = plans[Number(callId)]
          if (outcome.value !== undefined)
            expect([plan?.ending, outcome.value]).toEqual(['value', `value ${callId}`])
        }
        runs.push(run)
      }

      for (const [callId, code] of committed) {
        const ran = bodies.filter(body => body.callId === callId)
        expect(ran.length).toBe(neverRan.includes(code ?? '') ? 0 : 1)
        expect(marked.filter(id => id === callId).length).toBeGreaterThanOrEqual(ran.length)
        if (plans[Number(callId)]?.fault !== 'none') expect(neverRan).toContain(code)
      }
      for (const body of bodies) expect(committed.has(body.callId)).toBe(true)

      for (const body of bodies.filter(({ running }) => running)) body.settle()
      await microtasks()
      expect(clock.pending).toBe(0)
      const guesses = [...committed]
        .filter(([, code]) => code === 'TOOL_OUTCOME_UNKNOWN')
        .map(([callId]) => callId)
      expect(runs.flatMap(run => [...run.late.keys()]).sort()).toEqual(guesses.sort())
      expect(runs.flatMap(run => run.events.filter(event => event.startsWith('late')))).toHaveLength(
        guesses.length,
      )
      const last = plans.length
      plans.push({ kind: 'exclusive', fault: 'none', onAbort: 'throw', ending: 'value' })
      const run = runBatch(runtime, [callOf(plans[last] as PlannedCall, last)], { bind })
      await microtasks()
      bodies.at(-1)?.settle()
      await run.done
      expect(run.outcomes.get(String(last))?.value).toBe(`value ${last}`)
    }),
    { numRuns: 150 },
  )
})
