import type { Session, SessionEvent } from '@agent-spine/session'
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  faultPlaces,
  faultsAt,
  faultyHooks,
  faultyModel,
  faultySession,
  faultyToolHooks,
} from '../test/faults.js'
import type { Faults } from '../test/faults.js'
import { inputBreaches, lawBreaches, openWork, waitingInput } from '../test/law.js'
import { memorySession, scenario, story, type Scenario } from '../test/scenario.js'
import { answersOf, scriptedTools, scriptedTurns, type ScriptedTurn } from '../test/scripted-turns.js'
import type { Agent, Receipt } from './index.js'

const sound: Faults = faultsAt('nowhere', 1, false)

function open(turn: ScriptedTurn, session: Session, faults = sound): Scenario {
  const { hooks, retry } = turn
  return scenario(answersOf(turn), {
    session,
    tools: scriptedTools(),
    toolHooks: faultyToolHooks(faults),
    hooks: hooks === undefined ? [faultyHooks(faults)] : [faultyHooks(faults), hooks],
    ...(retry !== undefined && { retry }),
    wrapModel: model => faultyModel(model, faults),
  })
}

/** Prepares what gets in the way of a turn. `cancel` works while the turn does. */
type Meddle = (agent: Agent, cancel: (options?: { readonly keepInbox?: boolean }) => void) => void

/** Runs the turn with `meddle` in its way, then goes on with a follow-up; all of it keeps the law. */
async function play(
  turn: ScriptedTurn,
  where: string,
  { faults = sound, meddle }: { readonly faults?: Faults; readonly meddle?: Meddle } = {},
): Promise<readonly SessionEvent[]> {
  const session = await faultySession(faults)
  const made = open(turn, session, faults)
  const { agent, errors } = made
  const receipts: Receipt[] = []
  let over = false
  meddle?.(agent, options => {
    if (!over) agent.cancel(undefined, options)
  })
  const outcome = agent.prompt('go')
  if (turn.steers === true) {
    try {
      receipts.push(agent.steer('steered'), agent.inject('injected'))
    } catch {
      // A log that takes no input says so to whoever brings it.
    }
  }
  await outcome
  await agent.whenIdle()
  over = true
  faults.heal()
  const events = session.events.slice()
  expect([...lawBreaches(events), ...inputBreaches(events, receipts)], where).toEqual([])
  if (faults === sound) {
    expect(openWork(events), where).toEqual([])
    expect(errors, where).toEqual([])
  }
  await goOn(made, where, receipts)
  return events
}

async function goOn({ agent, session, model }: Scenario, where: string, receipts: readonly Receipt[] = []) {
  const { reason } = await agent.prompt('continue')
  await agent.whenIdle()
  const { events } = session
  expect(reason.kind, where).toBe('completed')
  expect(story(events), where).toContain('user continue')
  expect(
    [
      ...lawBreaches(events),
      ...openWork(events),
      ...inputBreaches(events, receipts),
      ...waitingInput(events).map(id => `${id} waits`),
    ],
    where,
  ).toEqual([])
  const heard = model.requests.filter(({ signal }) => getEventListeners(signal, 'abort').length > 0)
  expect(heard, where).toEqual([])
}

/** The moments at which a cancel may come, given the event that it comes at. */
const moments: readonly (readonly [string, (agent: Agent, at: number, cancel: () => void) => void])[] = [
  ['inside an observer of the log', (agent, at, cancel) => atEvent(agent, at, cancel)],
  ['a microtask after', (agent, at, cancel) => atEvent(agent, at, () => queueMicrotask(cancel))],
  ['a macrotask after', (agent, at, cancel) => atEvent(agent, at, () => void setImmediate(cancel))],
  ['inside a listener of the agent', atTold],
]

function atEvent({ session }: Agent, at: number, then: () => void): void {
  session.subscribe(({ seq }) => {
    if (seq === at) then()
  })
}

const told = ['status', 'error', 'chunk', 'message', 'tool-start', 'tool-end', 'turn-end', 'inbox'] as const

function atTold(agent: Agent, at: number, cancel: () => void): void {
  let count = 0
  for (const type of told) {
    agent.on(type, () => {
      if (count++ === at) cancel()
    })
  }
}

describe.each(scriptedTurns.map(turn => [turn.name, turn] as const))('a turn: %s', (_, turn) => {
  it.each(moments)('cancelled %s, at every event', async (moment, arrange) => {
    const { length } = await play(turn, 'as it is')
    for (let at = 0; at < length; at++) {
      const where = `cancelled ${moment} ${at}`
      await play(turn, where, { meddle: (agent, cancel) => arrange(agent, at, cancel) })
    }
  })

  it('cancelled at every event, and its input kept', async () => {
    const { length } = await play(turn, 'as it is')
    for (let at = 0; at < length; at++) {
      const keep: Meddle = (agent, cancel) => atEvent(agent, at, () => cancel({ keepInbox: true }))
      await play(turn, `cancelled at ${at}`, { meddle: keep })
    }
  })

  it.each(
    faultPlaces.flatMap(place => [[place, 'once', false] as const, [place, 'from then on', true] as const]),
  )('where every %s fails, %s', async (place, lasting, lasts) => {
    for (let at = 1; ; at++) {
      const faults = faultsAt(place, at, lasts)
      await play(turn, `${place} ${at} failed ${lasting}`, { faults })
      if (!faults.wasReached()) break
    }
  })

  it('cut after every event', async () => {
    const batchEnds = new Set([0])
    const events = await play(turn, 'as it is', {
      meddle: ({ session }) => void session.subscribe(() => void batchEnds.add(session.events.length)),
    })
    for (let cut = 0; cut <= events.length; cut++) {
      const prefix = events.slice(0, cut)
      expect(lawBreaches(prefix), `cut after ${cut}`).toEqual([])
      // Inside a batch, where no store tears, input may count as taken and have no message.
      if (batchEnds.has(cut)) await goOn(open(turn, memorySession(prefix)), `cut after ${cut}`)
    }
  })
})

it('every place that may fail is reached by some turn', async () => {
  for (const place of faultPlaces) {
    const reached: string[] = []
    for (const turn of scriptedTurns) {
      const faults = faultsAt(place, 3, false)
      await play(turn, `${place} of ${turn.name}`, { faults })
      if (faults.wasReached()) reached.push(turn.name)
    }
    expect(reached, place).toContain('one call')
  }
})
