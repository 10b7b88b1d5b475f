import { guardModel, guardSession, type Finding } from '@agent-spine/invariant'
import {
  EventRefusedError,
  createSession,
  replaySession,
  type Session,
  type SessionEvent,
} from '@agent-spine/session'
import { getEventListeners } from 'node:events'
import { createAgent, type Agent } from '../src/index.js'
import { inputBreaches, lawBreaches, openWork, waitingInput } from '../test/law.js'
import type { FakeClock } from './fake-clock.js'
import { faultyStore } from './faulty-store.js'
import { createMeddler, type Meddler } from './meddler.js'
import { seededRandom, type Random } from './random.js'
import { randomHooks } from './random-hooks.js'
import { randomModel } from './random-model.js'
import { randomTools } from './random-tools.js'
import type { Trouble, World } from './world.js'

/** What one scenario came to. */
export interface Played {
  readonly events: readonly SessionEvent[]
  readonly breaches: readonly string[]
}

/**
 * Plays one scenario: an agent in trouble until it rests, then a follow-up without trouble; and the same from a log that
 * was cut anywhere. All of it is held to the one law.
 */
export async function play(seed: number, clock: FakeClock): Promise<Played> {
  const random = seededRandom(seed)
  const parent = new AbortController()
  const findings: Finding[] = []
  const breaches: string[] = []
  const found = (when: string, list: readonly string[]): void =>
    void breaches.push(...list.map(breach => `${when}: ${breach}`))
  let agent: Agent | undefined
  const meddler = createMeddler(
    () => world,
    () => agent ?? nobody(),
    parent,
  )
  const world: World = {
    random,
    clock,
    trouble: randomTrouble(random),
    meddle: () => {
      if (agent !== undefined) meddler.meddle()
    },
    parent: parent.signal,
    signals: new Set(),
    bodies: { running: 0 },
  }
  const told = {
    clock: () => 1000,
    onObserverError: (error: unknown) => void breaches.push(`an observer threw: ${String(error)}`),
  }
  const session = await createSession({ id: 'fuzz', store: faultyStore(world), ...told })
  const batchEnds = new Set([0])
  guardSession(session, { on: finding => findings.push(finding) })
  session.subscribe(() => {
    batchEnds.add(session.events.length)
    world.meddle()
  })
  // A guard sees an append when it happens, and an observer perhaps when the turn is cancelled already.
  session.guard(([event]) => {
    const late = event?.type === 'assistant/chunk' && lastOf(world.signals)?.aborted === true
    if (late) breaches.push(`seq ${event.seq}: a chunk after the abort`)
  })

  let ids = 0
  const open = (opened: Session, signal?: AbortSignal): Agent => {
    const on = (finding: Finding): void => void findings.push(finding)
    const incremental = guardModel(randomModel(world), opened, { mode: 'incremental', on })
    const made = createAgent({
      session: opened,
      model: guardModel(incremental, opened, { mode: 'full', on }),
      tools: randomTools(world),
      hooks: randomHooks(world),
      newId: () => `id_${ids++}`,
      retry: { maxRetries: random.below(3), baseDelayMs: 10, random: () => 0.5 },
      maxSteps: 1 + random.below(6),
      abortGraceMs: random.pick([0, 5, 50]),
      maxParallelToolCalls: 1 + random.below(4),
      ...(signal && { signal }),
    })
    made.on('error', ({ error }) => {
      // A store that took no step/end leaves a turn/end out of place, and a nested call may outlive its step.
      const misplaced = error instanceof EventRefusedError && error.code === 'STEP_NOT_OPEN'
      if (misplaced && error.eventType === 'tool/sub-result') return
      if (misplaced && world.trouble.store === 0) breaches.push(String(error))
    })
    for (const type of ['chunk', 'status', 'turn-end', 'error'] as const) made.on(type, world.meddle)
    return made
  }

  agent = open(session, parent.signal)
  meddler.owe('the first prompt', agent.prompt('go'))
  found('after trouble', await untilRest(world, agent, meddler))
  found('after trouble', lawBreaches(session.events))
  found('after trouble', inputBreaches(session.events, meddler.receipts))
  found('after trouble', unanswered(world, meddler))
  if (world.trouble.store === 0) {
    const open = openWork(session.events).filter(breach => !breach.startsWith('OPEN_CALL'))
    found('after trouble', open)
  }
  const troubled = session.events.slice()

  for (const name of Object.keys(world.trouble) as (keyof Trouble)[]) world.trouble[name] = 0
  if (meddler.disposed() || parent.signal.aborted || random.chance(50)) {
    meddler.owe('the disposal', agent.dispose())
    found('disposed of', await untilRest(world, agent, meddler))
    found('disposed of', inputBreaches(session.events, meddler.receipts))
    // From here on they say what had become of the input then.
    meddler.receipts.length = 0
    agent = open(session)
  }
  found('gone on', await goOn(agent, session))

  const ends = [...batchEnds].filter(end => end <= troubled.length)
  const whole = random.chance(70)
  const cut = whole ? random.pick([0, ...ends]) : random.below(troubled.length + 1)
  const prefix = troubled.slice(0, cut)
  found(`cut after ${cut}`, lawBreaches(prefix))
  meddler.receipts.length = 0
  const resumed = replaySession(prefix, { id: 'fuzz', ...told })
  guardSession(resumed, { on: finding => findings.push(finding) })
  agent = open(resumed)
  found(`cut after ${cut} and gone on`, await goOn(agent, resumed, whole))

  found('guards', [...findings.map(({ code, seq, message }) => `${code} at seq ${seq}: ${message}`)])
  return { events: session.events, breaches: [...breaches, ...meddler.breaches] }

  /** A follow-up, from which on nothing may be wrong. */
  async function goOn(going: Agent, { events }: Session, isWhole = true): Promise<string[]> {
    let reason = 'nothing'
    const outcome = going.prompt('continue').then(({ reason: ended }) => void (reason = ended.kind))
    meddler.owe('the follow-up', outcome)
    const rested = await untilRest(world, going, meddler)
    return [
      ...rested,
      ...lawBreaches(events),
      ...openWork(events),
      ...(isWhole ? inputBreaches(events, meddler.receipts) : []),
      ...waitingInput(events).map(id => `${id} waits, and nothing will take it`),
      ...(reason === 'completed' ? [] : [`the follow-up ended with ${reason}`]),
    ]
  }
}

function lastOf<T>(items: ReadonlySet<T>): T | undefined {
  return [...items].at(-1)
}

/** Input that should have been answered: no cancel came after it, and nothing could fail before it was taken. */
function unanswered({ trouble }: World, { wakes }: Meddler): string[] {
  if (trouble.store > 0 || trouble.hooks > 0) return []
  return wakes()
    .filter(({ state }) => state === 'queued')
    .map(({ id }) => `${id} was to wake the agent, and waits`)
}

/** Lets time pass until the agent rests and owes nothing. Answers what is left that should not be. */
async function untilRest(
  { clock, bodies, signals, parent, meddle }: World,
  agent: Agent,
  { owed }: Meddler,
): Promise<string[]> {
  const isAtRest = (): boolean => agent.status === 'idle' && bodies.running === 0 && owed.size === 0
  for (let tick = 0; ; tick++) {
    await macrotask()
    meddle()
    await macrotask()
    if (isAtRest() && clock.sleeping() === 0) break
    if (tick > 20_000) return ['it never rests']
    if (clock.advance()) continue
    await macrotask()
    if (isAtRest()) break
    return [`it is stuck: ${agent.status}, ${bodies.running} bodies, owed: ${[...owed].join(', ')}`]
  }
  const leaks = [parent, ...signals].filter(signal => getEventListeners(signal, 'abort').length > 0)
  signals.clear()
  return [
    ...(clock.running() > 0 ? [`${clock.running()} timers run on`] : []),
    ...(leaks.length > 0 ? [`${leaks.length} signals have listeners`] : []),
  ]
}

/** Lets everything that is ready to run, run. */
function macrotask(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

function randomTrouble(random: Random): Trouble {
  const some = (): number => random.pick([0, 0, 5, 15, 40])
  return {
    store: random.pick([0, 0, 0, 2, 8]),
    stages: random.pick([0, 0, 0, 5, 20]),
    model: some(),
    malformed: some(),
    hooks: some(),
    tools: random.pick([0, 40, 80, 95]),
    cancel: random.pick([0, 50, 100]),
    meddling: random.pick([0, 1, 3, 10, 30]),
  }
}

function nobody(): never {
  throw new Error('there is no agent yet')
}
