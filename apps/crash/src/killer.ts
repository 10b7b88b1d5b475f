import { spawn } from 'node:child_process'
import process from 'node:process'
import type { Phase } from './evidence.js'
import type { VictimOrders } from './orders.js'
import { draw, drawCount, type Random } from './random.js'

/** When to kill: so long after the start, or so long after a phase was entered for the n-th time. */
export type Moment =
  | { readonly afterStartMs: number }
  | { readonly phase: Phase; readonly entered: number; readonly afterMs: number }

/** How long a victim takes that nobody kills: until it has its session, and from then on. */
export interface Pace {
  readonly startMs: number
  readonly workMs: number
}

/** How a process ended. */
export interface End {
  readonly killed: boolean
  readonly code: number | null
  readonly stderr: string
  /** Milliseconds from the start until it had its session. */
  readonly startMs: number
}

/** What is worth being met in: some of it lasts an instant, and whoever waits for an even chance hardly meets it. */
const sought: readonly [Phase, ...Phase[]] = [
  'open',
  'repair',
  'input',
  'flush',
  'flush',
  'stream',
  'calls',
  'body',
  'body',
  'body',
  'between',
  'close',
]

export function drawMoment(random: Random, { startMs, workMs }: Pace): Moment {
  const kind = random()
  if (kind < 0.15) return { afterStartMs: random() * startMs }
  // Squared: what comes late costs the time of all before it.
  if (kind < 0.45) return { phase: 'repair', entered: 1, afterMs: random() ** 2 * workMs }
  const phase = draw(random, sought)
  const once = phase === 'open' || phase === 'repair' || phase === 'close'
  return { phase, entered: once ? 1 : drawCount(random, 1, 3), afterMs: random() < 0.5 ? 0 : random() * 4 }
}

/** Starts a victim and kills it at `moment`, unless it ends before. */
export async function runVictim(victim: string, orders: VictimOrders, moment?: Moment): Promise<End> {
  const child = spawn(process.execPath, [victim, JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const startedAt = performance.now()
  let startMs = 0
  let entered = 0
  let stderr = ''
  const kill = () => void child.kill('SIGKILL')
  const timers: NodeJS.Timeout[] = []
  if (moment && 'afterStartMs' in moment) timers.push(setTimeout(kill, moment.afterStartMs))
  // Whoever hangs is killed, and found out by its signal: nobody meant to kill it.
  else timers.push(setTimeout(kill, 60_000))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const phase of text.split('\n').filter(line => line !== '') as Phase[]) {
      if (phase === 'repair') startMs = performance.now() - startedAt
      if (!moment || !('phase' in moment) || moment.phase !== phase || ++entered !== moment.entered) continue
      if (moment.afterMs === 0) kill()
      else timers.push(setTimeout(kill, moment.afterMs))
    }
  })
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, exitSignal) => resolve([exitCode, exitSignal]))
  })
  for (const timer of timers) clearTimeout(timer)
  return { killed: signal === 'SIGKILL', code, stderr, startMs }
}
