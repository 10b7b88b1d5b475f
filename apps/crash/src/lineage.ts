import { appendFileSync, rmSync } from 'node:fs'
import { classifyLog } from '@agent-spine/invariant'
import { interruptedTurnClosers } from '@agent-spine/repair'
import { openSession, SessionNotFoundError, type SessionEvent } from '@agent-spine/session'
import { jsonlStore } from '@agent-spine/session/jsonl'
import { countQueued } from './check-inputs.js'
import { checkLog } from './check-log.js'
import { evidenceLine, readEvidence, witnessFiles, type Phase } from './evidence.js'
import type { Fault } from './faults.js'
import { drawMoment, runVictim, type Pace } from './killer.js'
import { sessionId, type VictimOrders } from './orders.js'
import { cutPower } from './power-cut.js'
import { drawCount, type Random } from './random.js'
import type { Plant } from './witnessed-store.js'

/** What a lineage is made of. */
export interface LineageOptions {
  /** Of its own. Removed in the end, unless there were faults. */
  readonly directory: string
  /** The program to kill. */
  readonly victim: string
  readonly random: Random
  readonly pace: Pace
  readonly plant?: Plant
  readonly onKill: (phase: Phase) => void
  /** The unsynced end of a log was cut, too. */
  readonly onPowerCut: () => void
  readonly onFault: (fault: Fault) => void
  /** Whether another kill is wanted. Asked before each. */
  readonly wantsKill: () => boolean
}

/** Victims that are killed, before one is left alone. */
const mostKills = 10

/** One session: made, killed, opened, repaired, checked and resumed, again and again, until a last process finishes it. */
export async function runLineage(options: LineageOptions): Promise<void> {
  const { directory, victim, random, wantsKill, onKill } = options
  const store = jsonlStore(directory)
  let faults = 0
  let run = 0

  function fault(found: Fault): void {
    faults++
    options.onFault({ ...found, message: `${directory}, run ${run}: ${found.message}` })
  }

  function nextOrders(finish: boolean): VictimOrders {
    const seed = drawCount(random, 0, 2 ** 31)
    const { plant } = options
    // It may die before it can say so itself.
    appendFileSync(witnessFiles(directory).evidence, evidenceLine({ kind: 'phase', phase: 'start' }))
    return { directory, seed, run: ++run, finish, ...(plant && { plant }) }
  }

  async function readLog(): Promise<SessionEvent[] | undefined> {
    const log: SessionEvent[] = []
    try {
      for await (const event of store.read(sessionId)) log.push(event)
      return log
    } catch (error) {
      const isMade = witnessed().evidence.some(({ kind }) => kind === 'created')
      if (isMade || !SessionNotFoundError.is(error)) fault({ column: 'sessionsLost', message: String(error) })
      return undefined
    }
  }

  const witnessed = () => readEvidence(witnessFiles(directory))

  /** What the last victim was about when it died. */
  function lastPhase(): Phase {
    return witnessed().evidence.findLast(item => item.kind === 'phase')?.phase ?? 'start'
  }

  async function check(): Promise<readonly SessionEvent[] | undefined> {
    const log = await readLog()
    if (log) checkLog(log, witnessed()).forEach(fault)
    return log
  }

  /** Opens and repairs in this process, which nobody kills. */
  async function openAndRepair(): Promise<void> {
    try {
      const session = await openSession(store, sessionId)
      if (session.recovered?.lostTail) fault({ column: 'lossesSuspected', message: 'on open' })
      session.appendAll(interruptedTurnClosers(session.events))
      const { verdict } = classifyLog(session.events)
      if (verdict !== 'sound') fault({ column: 'auditFindings', message: `${verdict} after repair` })
      await session.close()
    } catch (error) {
      fault({ column: 'sessionsLost', message: String(error) })
    }
  }

  for (let kills = 0; kills < mostKills && faults === 0 && wantsKill();) {
    const end = await runVictim(victim, nextOrders(false), drawMoment(random, options.pace))
    if (end.killed) {
      kills++
      onKill(lastPhase())
      if (random() < 0.4 && cutPower(directory, witnessed().evidence, random)) options.onPowerCut()
    } else if (end.code !== 0) fault({ column: 'victimFailures', message: `code ${end.code} ${end.stderr}` })
    // Half of the time, the next victim finds what this one left, and may be killed while it recovers and repairs it.
    if ((await check()) && random() < 0.5) await openAndRepair()
  }
  if (faults === 0) await finish()
  if (faults === 0) rmSync(directory, { recursive: true, force: true })

  async function finish(): Promise<void> {
    const end = await runVictim(victim, nextOrders(true))
    if (end.killed || end.code !== 0) {
      fault({ column: 'victimFailures', message: `the last one: code ${end.code} ${end.stderr}` })
    }
    const log = await check()
    if (!log) return
    const { verdict } = classifyLog(log)
    if (verdict !== 'sound') fault({ column: 'auditFindings', message: `${verdict} in the end` })
    const left = countQueued(log)
    if (left > 0) fault({ column: 'inputsLost', message: `${left} inputs still wait in the end` })
  }
}
