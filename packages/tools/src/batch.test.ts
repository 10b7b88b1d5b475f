import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type ExecutionMode, runStagedCalls } from '@agent-spine/scheduler'
import { expect, it, vi } from 'vitest'
import { type Deferred, deferred } from './deferred.js'
import {
  createToolRuntime,
  defineTool,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolHooks,
} from './index.js'
import { microtasks, runBatch, textOf, toolCall } from './testing/batch-run.js'
import { handClock } from './testing/hand-clock.js'

/* Whole batches through registry, pipeline and scheduler, at their worst. */

type Classifier = () => boolean

function tool(name: string, execute: (context: ToolContext) => unknown, isConcurrencySafe: Classifier): Tool {
  return defineTool({
    name,
    description: 'd',
    parameters: { path: { type: 'string' } },
    isConcurrencySafe,
    conflictKey: ({ path }) => path,
    execute: (_, context) => execute(context),
  })
}

it('says that it does not know what a body did that ignores the abort, and tells the truth when it rejects a second later', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const clock = handClock()
  const controller = new AbortController()
  const body = deferred<never>()
  const runtime = createToolRuntime({
    tools: [
      tool(
        'hang',
        () => body.promise,
        () => true,
      ),
    ],
  })
  const run = runBatch(runtime, [toolCall('a', 'hang')], {
    signal: controller.signal,
    bind: { startTimer: clock.startTimer, abortGraceMs: 500 },
  })
  await microtasks()
  controller.abort()
  clock.startTimer(() => body.reject(new Error('disk full')), 1000)
  clock.advance(500)
  expect(await run.done).toEqual({ aborted: true, started: 1, skipped: 0 })
  expect(run.outcomes.get('a')?.error?.code).toBe('TOOL_OUTCOME_UNKNOWN')
  expect(run.events).toEqual(['start a', 'commit a'])
  clock.advance(500)
  await microtasks()
  expect(run.events).toEqual(['start a', 'commit a', 'late a'])
  expect(textOf(run.late.get('a')?.outcome)).toBe('disk full')
  // Node reports an unhandled rejection when the microtasks of a task are done.
  await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  expect(clock.pending).toBe(0)
})

it('runs 1 000 calls at cap 8 around an exclusive one: eight at a time, that one alone, all in order', async () => {
  const running = new Set<string>()
  let peak = 0
  const besideTheExclusive: number[] = []
  const body = async ({ callId }: ToolContext): Promise<string> => {
    running.add(callId)
    peak = Math.max(peak, running.size)
    if (callId === '500') besideTheExclusive.push(running.size)
    for (let turn = 0; turn < 20 + (Number(callId) % 7); turn++) await Promise.resolve()
    if (callId === '500') besideTheExclusive.push(running.size)
    running.delete(callId)
    return callId
  }
  const runtime = createToolRuntime({
    tools: [tool('read', body, () => true), tool('write', body, () => false)],
  })
  const ids = Array.from({ length: 1000 }, (_, id) => String(id))
  const calls = ids.map(id => toolCall(id, id === '500' ? 'write' : 'read'))
  const run = runBatch(runtime, calls, { maxParallel: 8 })
  await run.done
  expect(peak).toBe(8)
  expect(besideTheExclusive).toEqual([1, 1])
  expect(run.events.filter(event => event.startsWith('commit'))).toEqual(ids.map(id => `commit ${id}`))
  expect([...run.outcomes.values()].map(({ value }) => value)).toEqual(ids)
})

/** In call order, with what each comes to. The first five have bodies. */
const mixedBatch: [string, string | undefined][] = [
  ['slow', undefined],
  ['throwing', undefined],
  ['withheld', 'RESULT_WITHHELD'],
  ['quick', undefined],
  ['unclassifiable', undefined],
  ['blocked', 'DENIED'],
  ['hooked', 'DENIED'],
  ['invalid', 'INVALID_ARGS'],
  ['unknown', 'UNKNOWN_TOOL'],
]

function* permutations<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  if (values.length === 0) yield []
  for (const value of values)
    for (const rest of permutations(values.filter(other => other !== value))) yield [value, ...rest]
}

function mixedRun() {
  const bodies = new Map<string, Deferred<string>>(mixedBatch.slice(0, 5).map(([name]) => [name, deferred()]))
  const hooks: ToolHooks = {
    preExecute: ({ tool: { name } }) => {
      if (name === 'hooked') throw new Error('hook broken')
      return name === 'blocked' ? { kind: 'deny', reason: 'not today' } : { kind: 'allow' }
    },
    postExecute: ({ name }) => {
      if (name === 'withheld') throw new Error('hook broken')
      return { kind: 'accept' }
    },
  }
  const unexpected = vi.fn()
  const tools = mixedBatch
    .filter(([name]) => name !== 'unknown')
    .map(([name]) =>
      tool(
        name,
        () => bodies.get(name)?.promise ?? unexpected(),
        () => {
          if (name === 'unclassifiable') throw new Error('classifier broken')
          return true
        },
      ),
    )
  const calls = mixedBatch.map(([name]) => toolCall(name, name, name === 'invalid' ? { path: 5 } : {}))
  const run = runBatch(createToolRuntime({ tools, hooks }), calls)
  const settle = (name: string): void => {
    if (name === 'throwing') bodies.get(name)?.reject(new Error('tool broken'))
    else bodies.get(name)?.resolve(`value of ${name}`)
  }
  return { run, settle, unexpected }
}

it('gives slow, throwing, blocked, invalid, unknown and unclassifiable calls and those of broken hooks each their own outcome, in every settle order', async () => {
  const names = mixedBatch.map(([name]) => name)
  let orders = 0
  let log: readonly string[] | undefined
  for (const order of permutations(names.slice(0, 5))) {
    const { run, settle, unexpected } = mixedRun()
    for (const name of order) {
      settle(name)
      await microtasks()
    }
    expect(await run.done).toEqual({ aborted: false, started: 9, skipped: 0 })
    expect([...run.outcomes].map(([name, { error }]) => [name, error?.code])).toEqual(mixedBatch)
    expect(
      [...run.outcomes].filter(([, { isError }]) => !isError).map(([name, { value }]) => [name, value]),
    ).toEqual(['slow', 'quick', 'unclassifiable'].map(name => [name, `value of ${name}`]))
    expect(textOf(run.outcomes.get('throwing'))).toBe('tool broken')
    expect(unexpected).not.toHaveBeenCalled()
    const committed = run.events.filter(event => event.startsWith('commit'))
    log ??= committed
    expect(committed).toEqual(log)
    orders++
  }
  expect(orders).toBe(120)
  expect(log).toEqual(names.map(name => `commit ${name}`))
})

it('never overlaps edits of one file, and overlaps edits of two: five each take five rounds at cap 2, not nine', async () => {
  const running = new Map<string, Deferred<string>>()
  const overlaps: string[][] = []
  const edit = defineTool({
    name: 'edit',
    description: 'd',
    parameters: { path: { type: 'string', required: true } },
    isConcurrencySafe: () => true,
    conflictKey: ({ path }) => path,
    execute: ({ path }, { callId }) => {
      expect([...running.keys()].filter(other => other.startsWith(path))).toEqual([])
      const body = deferred<string>()
      running.set(callId, body)
      return body.promise
    },
  })
  const ids = ['a', 'b'].flatMap(path => [1, 2, 3, 4, 5].map(edit => `${path}${edit}`))
  const calls = ids.map(id => toolCall(id, 'edit', { path: id.slice(0, 1) }))
  const run = runBatch(createToolRuntime({ tools: [edit] }), calls, { maxParallel: 2 })
  await microtasks()
  while (running.size > 0) {
    const round = [...running]
    overlaps.push(round.map(([id]) => id))
    running.clear()
    for (const [id, body] of round) body.resolve(id)
    await microtasks()
  }
  await run.done
  expect(overlaps).toEqual([1, 2, 3, 4, 5].map(edit => [`a${edit}`, `b${edit}`]))
  expect(run.events.filter(event => event.startsWith('commit'))).toEqual(ids.map(id => `commit ${id}`))
})

it('classifies two edits of one file beside an edit of another as their keys say', () => {
  const stages = createToolRuntime({
    tools: [
      tool(
        'edit',
        () => 'done',
        () => true,
      ),
    ],
  }).bind()
  const modes = ['a', 'b', 'a'].map(path => stages.mode(toolCall(path, 'edit', { path })))
  expect(modes).toEqual(['a', 'b', 'a'].map((key): ExecutionMode => ({ kind: 'parallel', key })))
})

it('never runs the body of a call that is aborted while its approver thinks, and commits what ran beside it', async () => {
  const verdict = deferred<{ kind: 'allow' }>()
  const controller = new AbortController()
  const beside = deferred<string>()
  const remove = vi.fn(() => 'removed')
  const runtime = createToolRuntime({
    tools: [
      tool(
        'read',
        () => beside.promise,
        () => true,
      ),
      tool('remove', remove, () => true),
    ],
    hooks: { preExecute: ({ tool: { name } }) => ({ kind: name === 'remove' ? 'ask' : 'allow' }) },
    approve: () => verdict.promise,
  })
  const calls = [toolCall('a', 'read'), toolCall('b', 'remove'), toolCall('c', 'read')]
  const run = runBatch(runtime, calls, { signal: controller.signal })
  await microtasks()
  controller.abort()
  verdict.resolve({ kind: 'allow' })
  beside.resolve('read')
  expect(await run.done).toEqual({ aborted: true, started: 2, skipped: 1 })
  await microtasks()
  expect(remove).not.toHaveBeenCalled()
  expect(run.outcomes.get('a')?.value).toBe('read')
  expect(run.outcomes.get('b')?.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  expect(run.events).toEqual(['start a', 'start b', 'commit a', 'commit b', 'skip c'])
})

it('lets go of the arguments of a call once it has committed, however long the batch is', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const size = 2_000
  let alive = 0
  let mostAlive = 0
  const registry = new FinalizationRegistry(() => (alive -= 1))
  const runtime = createToolRuntime({
    tools: [
      defineTool({
        name: 'watched',
        description: 'd',
        parameters: {},
        isConcurrencySafe: () => true,
        execute: args => {
          registry.register(args, undefined)
          alive += 1
        },
      }),
    ],
  })
  const journal = {
    started: () => undefined,
    skipped: () => undefined,
    async committed({ callId }: ToolCall) {
      if (Number(callId) % 500 !== 499) return
      // The registry tells of what was collected in a later turn of the event loop.
      await new Promise(resolve => setImmediate(resolve))
      collectGarbage()
      await new Promise(resolve => setImmediate(resolve))
      mostAlive = Math.max(mostAlive, alive)
    },
  }
  const calls = Array.from({ length: size }, (_, index) => toolCall(String(index), 'watched'))
  await runStagedCalls(calls, runtime.bind(), journal, { maxParallel: 10 })
  expect(mostAlive).toBeGreaterThan(0)
  expect(mostAlive).toBeLessThan(size / 2)
})
