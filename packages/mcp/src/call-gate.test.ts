import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CallGate, type CallMode } from './call-gate.js'
import { delivered, gate, type Gate } from './testing/gate.js'

const parallel: CallMode = { kind: 'parallel' }
const keyed = (key: string): CallMode => ({ kind: 'parallel', key })
const exclusive: CallMode = { kind: 'exclusive' }

/** Calls whose bodies end by hand. */
class Calls {
  readonly started: string[] = []
  readonly running = new Set<string>()
  readonly results = new Map<string, Promise<string | undefined>>()
  readonly #gate: CallGate
  readonly #ends = new Map<string, Gate>()
  readonly #aborts = new Map<string, AbortController>()

  constructor(maxParallel: number) {
    this.#gate = new CallGate(maxParallel)
  }

  arrive(name: string, mode: CallMode): this {
    const [end, abort] = [gate(), new AbortController()]
    this.#ends.set(name, end)
    this.#aborts.set(name, abort)
    const result = this.#gate.run(mode, abort.signal, async () => {
      this.started.push(name)
      this.running.add(name)
      await end.opened
      this.running.delete(name)
      return name
    })
    this.results.set(name, result)
    return this
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.open()
    await delivered()
  }

  async abort(name: string): Promise<void> {
    this.#aborts.get(name)?.abort()
    await delivered()
  }
}

describe('a call', () => {
  it('G1: that is exclusive waits for all before it, and all after it wait', async () => {
    const calls = new Calls(10).arrive('a', parallel).arrive('b', exclusive).arrive('c', parallel)
    await delivered()
    expect(calls.started).toEqual(['a'])
    await calls.end('a')
    expect(calls.started).toEqual(['a', 'b'])
    await calls.end('b')
    expect(calls.started).toEqual(['a', 'b', 'c'])
  })

  it('G2: waits for the one with its key, and others pass it', async () => {
    const calls = new Calls(10)
      .arrive('a1', keyed('a'))
      .arrive('a2', keyed('a'))
      .arrive('a3', keyed('a'))
      .arrive('b1', keyed('b'))
    await delivered()
    expect(calls.started).toEqual(['a1', 'b1'])
    await calls.end('a1')
    expect(calls.started).toEqual(['a1', 'b1', 'a2'])
  })

  it('G3: waits while as many run as may', async () => {
    const calls = new Calls(2).arrive('a', parallel).arrive('b', parallel).arrive('c', parallel)
    await delivered()
    expect(calls.started).toEqual(['a', 'b'])
    await calls.end('b')
    expect(calls.started).toEqual(['a', 'b', 'c'])
  })

  it('G4: that is aborted while it waits never runs, and lets those behind it go', async () => {
    const calls = new Calls(10).arrive('a', parallel).arrive('b', exclusive).arrive('c', parallel)
    await calls.abort('b')
    expect(calls.started).toEqual(['a', 'c'])
    expect(await calls.results.get('b')).toBeUndefined()
  })

  it('G4: that was aborted before it came never runs', async () => {
    const ran = await new CallGate(1).run(parallel, AbortSignal.abort(), () => Promise.resolve('ran'))
    expect(ran).toBeUndefined()
  })

  it('that fails makes room like any other', async () => {
    const [one, { signal }] = [new CallGate(1), new AbortController()]
    const failure = one.run(exclusive, signal, () => Promise.reject(new Error('broken')))
    const next = one.run(exclusive, signal, () => Promise.resolve('next'))
    await expect(failure).rejects.toThrow('broken')
    expect(await next).toBe('next')
  })
})

describe('the law', () => {
  const mode = fc.constantFrom<CallMode>(parallel, keyed('a'), keyed('b'), exclusive)
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('arrive' as const), mode }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('abort' as const), pick: fc.nat() }) },
  )

  it('G1–G4 hold whatever arrives, ends and is aborted, and every call settles', async () => {
    const random = fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      lawHolds,
    )
    await fc.assert(random, { numRuns: 200 })
  })

  async function lawHolds(
    steps: readonly (
      | { readonly kind: 'arrive'; readonly mode: CallMode }
      | { readonly kind: 'end' | 'abort'; readonly pick: number }
    )[],
    maxParallel: number,
  ): Promise<void> {
    const calls = new Calls(maxParallel)
    const modes = new Map<string, CallMode>()
    const aborted = new Set<string>()
    for (const step of steps) {
      if (step.kind === 'arrive') {
        const name = String(modes.size)
        modes.set(name, step.mode)
        calls.arrive(name, step.mode)
        await delivered()
      } else if (step.kind === 'end') {
        const running = [...calls.running]
        await calls.end(running[step.pick % running.length] ?? '')
      } else {
        const waiting = [...modes.keys()].filter(name => !calls.started.includes(name))
        const name = waiting[step.pick % waiting.length] ?? ''
        aborted.add(name)
        await calls.abort(name)
      }
      check(calls, modes, { maxParallel, aborted })
    }
    for (let rest = [...calls.running]; rest.length > 0; rest = [...calls.running])
      await calls.end(rest[0] ?? '')
    for (const [name, result] of calls.results)
      expect(await result).toBe(aborted.has(name) ? undefined : name)
  }

  function check(
    calls: Calls,
    modes: ReadonlyMap<string, CallMode>,
    { maxParallel, aborted }: { readonly maxParallel: number; readonly aborted: ReadonlySet<string> },
  ): void {
    const running = [...calls.running]
    expect(running.length).toBeLessThanOrEqual(maxParallel)
    const keys = running.flatMap(name => {
      const mode = modes.get(name)
      if (mode?.kind === 'exclusive') expect(running).toEqual([name])
      return mode?.kind === 'parallel' && mode.key !== undefined ? [mode.key] : []
    })
    expect(new Set(keys).size).toBe(keys.length)
    const waiting = [...modes.keys()].filter(name => !calls.started.includes(name) && !aborted.has(name))
    // No call passed an exclusive one that waits, and none waits without a reason.
    const firstExclusive = waiting.find(name => modes.get(name)?.kind === 'exclusive')
    if (firstExclusive !== undefined) {
      expect(calls.started.every(name => Number(name) < Number(firstExclusive))).toBe(true)
    }
    if (waiting.length > 0) expect(running.length).toBeGreaterThan(0)
  }
})
