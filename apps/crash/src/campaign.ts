import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { phases, type Phase } from './evidence.js'
import { faultColumns, type Fault, type FaultColumn } from './faults.js'
import { runVictim, type Pace } from './killer.js'
import { runLineage } from './lineage.js'
import { createRandom, drawCount } from './random.js'
import type { Plant } from './witnessed-store.js'

/** What a campaign is made of. */
export interface CampaignOptions {
  readonly kills: number
  /** Draws what victims do and about when they die; which moment that is remains the machine's business. */
  readonly seed: number
  /** How many sessions are worked on at once. */
  readonly jobs: number
  /** The program to kill. */
  readonly victim: string
  readonly plant?: Plant
}

/** What came of a campaign. */
export interface Summary {
  readonly ok: boolean
  readonly seed: number
  readonly kills: number
  readonly killsByPhase: Readonly<Partial<Record<Phase, number>>>
  /** After how many of them the end of the log that no flush had promised was cut off, too. */
  readonly powerCuts: number
  readonly sessions: number
  readonly faults: Readonly<Record<FaultColumn, number>>
  /** The first few faults in words. Their directories are kept. */
  readonly problems: readonly string[]
  readonly seconds: number
}

const mostProblems = 20

/** Kills processes until `kills` have died, and checks everything that each of them leaves. */
export async function runCampaign({ kills, seed, jobs, victim, plant }: CampaignOptions): Promise<Summary> {
  const startedAt = performance.now()
  const random = createRandom(seed)
  const home = mkdtempSync(join(tmpdir(), 'agent-spine-crash-'))
  const killsByPhase = new Map<Phase, number>()
  const faults = new Map<FaultColumn, number>()
  const problems: string[] = []
  let done = 0
  let begun = 0
  let sessions = 0
  let powerCuts = 0

  function onFault({ column, message }: Fault): void {
    faults.set(column, (faults.get(column) ?? 0) + 1)
    if (problems.length < mostProblems) problems.push(`${column}: ${message}`)
  }

  function onKill(phase: Phase): void {
    done++
    killsByPhase.set(phase, (killsByPhase.get(phase) ?? 0) + 1)
  }

  async function work(pace: Pace): Promise<void> {
    while (done < kills && problems.length < mostProblems) {
      const directory = join(home, `${begun++}`)
      mkdirSync(directory)
      sessions++
      await runLineage({
        directory,
        victim,
        random: createRandom(drawCount(random, 0, 2 ** 31)),
        pace,
        ...(plant && { plant }),
        onKill,
        onPowerCut: () => powerCuts++,
        onFault,
        wantsKill: () => done < kills,
      })
    }
  }

  const pace = await measurePace(victim, home)
  await Promise.all(Array.from({ length: jobs }, () => work(pace)))
  if (problems.length === 0) rmSync(home, { recursive: true })
  return {
    ok: faults.size === 0,
    seed,
    kills: done,
    killsByPhase: Object.fromEntries(phases.map(phase => [phase, killsByPhase.get(phase) ?? 0])),
    powerCuts,
    sessions,
    faults: Object.fromEntries(faultColumns.map(column => [column, faults.get(column) ?? 0])) as Record<
      FaultColumn,
      number
    >,
    problems,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  }
}

async function measurePace(victim: string, home: string): Promise<Pace> {
  const directory = mkdtempSync(join(home, 'pace-'))
  const startedAt = performance.now()
  const { code, stderr, startMs } = await runVictim(victim, { directory, seed: 1, run: 1, finish: false })
  const workMs = performance.now() - startedAt - startMs
  rmSync(directory, { recursive: true })
  if (code !== 0) throw new Error(`expected a victim that nobody kills to end well, found ${code}: ${stderr}`)
  return { startMs, workMs }
}
