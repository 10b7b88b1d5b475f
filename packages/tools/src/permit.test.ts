import { expect, it, vi } from 'vitest'
import { deferred } from './deferred.js'
import {
  type Approver,
  createToolRuntime,
  defineTool,
  type PreDecision,
  type ToolGuard,
  type ToolHooks,
  type ToolRuntimeOptions,
} from './index.js'
import { microtasks, runBatch, textOf, toolCall } from './testing/batch-run.js'
import { handClock } from './testing/hand-clock.js'

function setUp(options: ToolRuntimeOptions) {
  const body = vi.fn(() => 'ran')
  const tool = defineTool({
    name: 'write',
    description: 'd',
    parameters: { path: { type: 'string', required: true } },
    execute: body,
  })
  const runtime = createToolRuntime({ tools: [tool], ...options })
  return { runtime, body }
}

function call(options: ToolRuntimeOptions) {
  const { runtime, body } = setUp(options)
  return runtime
    .execute(toolCall('a', 'write', { path: 'x' }))
    .then(outcome => ({ outcome, ran: body.mock.calls.length > 0 }))
}

const allow: ToolHooks = { preExecute: () => ({ kind: 'allow' }) }
const ask: ToolHooks = { preExecute: () => ({ kind: 'ask', reason: 'it writes' }) }
const approve: Approver = () => ({ kind: 'allow' })

it('P1 lets a call through that everyone allows', async () => {
  const { outcome, ran } = await call({
    hooks: [allow, ask, { preExecute: () => Promise.resolve({ kind: 'allow' }) }],
    guards: [() => undefined, () => Promise.resolve(undefined)],
    approve,
  })
  expect(ran).toBe(true)
  expect(outcome.isError).toBeUndefined()
})

/** A getter that throws, a promise that never was one, and shapes that look like consent. */
const noDecisions: [string, unknown][] = [
  ['nothing', undefined],
  ['true', true],
  ['text', 'allow'],
  ['an unknown kind', { kind: 'allowed' }],
  ['a list', ['allow']],
  ['null', null],
  ['a function that looks like consent', Object.assign(() => ({ kind: 'allow' }), { kind: 'allow' })],
  [
    'a getter that throws',
    Object.defineProperty({}, 'kind', {
      get: () => {
        throw new Error('no')
      },
    }),
  ],
  [
    'a broken promise',
    {
      then: () => {
        throw new Error('no')
      },
    },
  ],
]

it.each(noDecisions)('P2 denies when a hook answers %s', async (_, answer) => {
  const { outcome, ran } = await call({ hooks: [{ preExecute: () => answer as PreDecision }, allow] })
  expect(ran).toBe(false)
  expect(outcome.error).toEqual({ name: 'ToolError', code: 'DENIED' })
})

it.each([...noDecisions.filter(([name]) => name !== 'nothing'), ['consent', { kind: 'allow' }]])(
  'P2 denies when a guard, which can only deny, answers %s',
  async (_, answer) => {
    const { outcome, ran } = await call({ guards: [(() => answer) as ToolGuard] })
    expect(ran).toBe(false)
    expect(outcome.error?.code).toBe('DENIED')
  },
)

it.each(noDecisions)('P2 denies when the approver answers %s', async (_, answer) => {
  const { outcome, ran } = await call({ hooks: ask, approve: (() => answer) as Approver })
  expect(ran).toBe(false)
  expect(outcome.error?.code).toBe('DENIED')
})

const throwing = (): never => {
  throw new Error('policy server down')
}
const rejecting = (): Promise<never> => Promise.reject(new Error('policy server down'))

it.each<[string, ToolRuntimeOptions]>([
  ['a hook throws', { hooks: { preExecute: throwing } }],
  ['a hook rejects', { hooks: { preExecute: rejecting } }],
  ['a guard throws', { guards: [throwing] }],
  ['a guard rejects', { guards: [rejecting] }],
  ['the approver throws', { hooks: ask, approve: throwing }],
  ['the approver rejects', { hooks: ask, approve: rejecting }],
])('P2 denies when %s', async (_, options) => {
  const { outcome, ran } = await call(options)
  expect(ran).toBe(false)
  expect(outcome.error?.code).toBe('DENIED')
  expect(textOf(outcome)).toContain('policy server down')
})

it('P2 denies when nobody can approve', async () => {
  const { outcome, ran } = await call({ hooks: ask })
  expect(ran).toBe(false)
  expect(textOf(outcome)).toMatch(/denied.*needs approval.*it writes/)
})

it.each<[string, ToolRuntimeOptions, number]>([
  ['a policy hook', { hooks: { preExecute: () => new Promise(() => undefined) } }, 1000],
  ['a guard', { guards: [() => new Promise(() => undefined)] }, 1000],
  ['the approver', { hooks: ask, approve: () => new Promise(() => undefined) }, 60_000],
])('P2 denies when %s does not answer within its limit', async (who, options, limitMs) => {
  const { runtime, body } = setUp(options)
  const clock = handClock()
  const bind = { startTimer: clock.startTimer, hookLimitMs: 1000, approvalLimitMs: 60_000 }
  const run = runBatch(runtime, [toolCall('a', 'write', { path: 'x' })], { bind })
  await microtasks()
  clock.advance(limitMs - 1)
  await microtasks()
  expect(run.outcomes.size).toBe(0)
  clock.advance(1)
  await run.done
  expect(run.outcomes.get('a')?.error?.code).toBe('DENIED')
  expect(textOf(run.outcomes.get('a'))).toBe(
    `This call was denied and did not run: ${who} did not answer in time`,
  )
  expect(body).not.toHaveBeenCalled()
  expect(clock.pending).toBe(0)
})

it('waits for an approver as long as it takes, if no limit is set', async () => {
  const answer = deferred<{ kind: 'allow' }>()
  const { runtime } = setUp({ hooks: ask, approve: () => answer.promise })
  const clock = handClock()
  const run = runBatch(runtime, [toolCall('a', 'write', { path: 'x' })], {
    bind: { startTimer: clock.startTimer },
  })
  await microtasks()
  expect(clock.pending).toBe(0)
  answer.resolve({ kind: 'allow' })
  await run.done
  expect(run.outcomes.get('a')?.isError).toBeUndefined()
})

it.each<[string, (pending: Promise<never>) => ToolRuntimeOptions]>([
  ['hook', pending => ({ hooks: { preExecute: () => pending } })],
  ['guard', pending => ({ guards: [() => pending] })],
  ['approver', pending => ({ hooks: ask, approve: () => pending })],
])('P3 ends a call whose %s is pending when it is cancelled, and never runs its body', async (_, options) => {
  const pending = deferred<never>()
  const { runtime, body } = setUp(options(pending.promise))
  const controller = new AbortController()
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener')
  const run = runBatch(runtime, [toolCall('a', 'write', { path: 'x' })], { signal: controller.signal })
  await microtasks()
  controller.abort()
  expect(await run.done).toMatchObject({ aborted: true, started: 1 })
  expect(run.outcomes.get('a')?.error).toEqual({ name: 'AbortError', code: 'ABORTED_BEFORE_DISPATCH' })
  pending.resolve({ kind: 'allow' } as never)
  await microtasks()
  expect(body).not.toHaveBeenCalled()
  expect(removed).toHaveBeenCalled()
  removed.mockRestore()
})

it('P3 asks nobody about a call that is cancelled already', async () => {
  const preExecute = vi.fn(() => ({ kind: 'allow' }) as const)
  const { runtime } = setUp({ hooks: { preExecute } })
  const call = toolCall('a', 'write', { path: 'x' })
  const prepared = await runtime.bind().prepare(call, { kind: 'exclusive' }, AbortSignal.abort())
  expect(prepared).toMatchObject({ kind: 'final-result', settled: { ran: false } })
  expect(preExecute).not.toHaveBeenCalled()
})

it('P3 ends a call that a hook cancels itself and then allows', async () => {
  const controller = new AbortController()
  const cancelling: ToolHooks = {
    preExecute: () => {
      controller.abort()
      return { kind: 'allow' }
    },
  }
  const { runtime, body } = setUp({ hooks: cancelling })
  const run = runBatch(runtime, [toolCall('a', 'write', { path: 'x' })], { signal: controller.signal })
  await run.done
  expect(run.outcomes.get('a')?.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  expect(body).not.toHaveBeenCalled()
})

it('P3 ends a call that is cancelled in the moment between the last answer and the decision', async () => {
  const answer = deferred<{ kind: 'allow' }>()
  const { runtime } = setUp({ hooks: { preExecute: () => answer.promise } })
  const controller = new AbortController()
  const call = toolCall('a', 'write', { path: 'x' })
  const preparing = runtime.bind().prepare(call, { kind: 'exclusive' }, controller.signal)
  const cancelled = answer.promise.then(() => controller.abort())
  answer.resolve({ kind: 'allow' })
  await cancelled
  expect(await preparing).toMatchObject({
    kind: 'final-result',
    settled: { ran: false, outcome: { error: { name: 'AbortError', code: 'ABORTED_BEFORE_DISPATCH' } } },
  })
})

it('P4 does not ask the approver about a call that a guard refuses, nor later hooks about a denied one', async () => {
  const asked = vi.fn(approve)
  const later = vi.fn(() => ({ kind: 'allow' }) as const)
  const guarded = await call({
    hooks: ask,
    guards: [() => ({ kind: 'deny', reason: 'outside the workspace' })],
    approve: asked,
  })
  expect(textOf(guarded.outcome)).toContain('outside the workspace')
  await call({ hooks: [{ preExecute: () => ({ kind: 'deny', reason: 'no' }) }, { preExecute: later }] })
  expect(asked).not.toHaveBeenCalled()
  expect(later).not.toHaveBeenCalled()
})

it('shows the approver the checked call and every reason', async () => {
  const asked = vi.fn(approve)
  await call({ hooks: [ask, { preExecute: () => ({ kind: 'ask' }) }], approve: asked })
  expect(asked).toHaveBeenCalledTimes(1)
  const [request] = asked.mock.calls[0] ?? []
  expect(request?.reasons).toEqual(['it writes', 'a hook asked for approval'])
  expect(request?.call).toMatchObject({ callId: 'a', args: { path: 'x' } })
  expect(Object.isFrozen(request?.call.args)).toBe(true)
})

it('tells the model the reason of a denial, also the approver’s', async () => {
  const { outcome } = await call({ hooks: ask, approve: () => ({ kind: 'deny', reason: 'not on Fridays' }) })
  expect(textOf(outcome)).toBe('This call was denied and did not run: not on Fridays')
})

const deny = (reason?: unknown): never => ({ kind: 'deny', reason }) as never

it.each<[string, ToolRuntimeOptions]>([
  ['a hook that allows', { hooks: [allow, { preExecute: () => deny('the last') }] }],
  ['a hook that asks', { hooks: [ask, { preExecute: () => deny('the last') }], approve }],
  ['a guard', { guards: [() => undefined, () => deny('the last')] }],
  [
    'a guard, before the approver',
    { hooks: ask, guards: [() => undefined], approve: () => deny('the last') },
  ],
])('P1 does not let the consent of %s stand for that of those after it', async (_, options) => {
  const { outcome, ran } = await call(options)
  expect(ran).toBe(false)
  expect(textOf(outcome)).toBe('This call was denied and did not run: the last')
})

const unclear = (): never => ({ kind: 'maybe', reason: 'unclear' }) as never

it.each<[string, ToolRuntimeOptions, string]>([
  ['a hook denies', { hooks: { preExecute: () => deny('not here') } }, 'not here'],
  ['a hook denies without a reason', { hooks: { preExecute: () => deny() } }, 'no reason was given'],
  ['a guard denies with a blank reason', { guards: [() => deny(' \n')] }, 'no reason was given'],
  ['a guard denies with a reason that is no text', { guards: [() => deny(5)] }, 'no reason was given'],
  ['the approver denies without a reason', { hooks: ask, approve: () => deny('') }, 'approval was refused'],
  [
    'nobody can approve',
    { hooks: [ask, { preExecute: () => ({ kind: 'ask', reason: 'it is Friday' }) }] },
    'it needs approval, and nobody can give it (it writes; it is Friday)',
  ],
  ['a hook throws', { hooks: { preExecute: throwing } }, 'a policy hook failed (policy server down)'],
  ['a guard throws', { guards: [throwing] }, 'a guard failed (policy server down)'],
  ['the approver throws', { hooks: ask, approve: throwing }, 'the approver failed (policy server down)'],
  [
    'a hook is unclear',
    { hooks: { preExecute: unclear } },
    'a policy hook gave no decision that can be understood',
  ],
  ['a guard is unclear', { guards: [unclear] }, 'a guard gave no decision that can be understood'],
  [
    'the approver is unclear',
    { hooks: ask, approve: unclear },
    'the approver gave no decision that can be understood',
  ],
])('tells the model in full why the call was denied when %s', async (_, options, reason) => {
  const { outcome } = await call(options)
  expect(textOf(outcome)).toBe(`This call was denied and did not run: ${reason}`)
})
