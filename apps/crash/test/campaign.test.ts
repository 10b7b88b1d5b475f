import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, expect, it } from 'vitest'
import { runCampaign } from '../src/campaign.js'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))
const victim = join(packageRoot, 'node_modules', '.cache', 'crash', 'victim.mjs')

beforeAll(async () => {
  await build({
    entryPoints: [join(packageRoot, 'src', 'victim.ts')],
    outfile: victim,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@agent-spine/source'],
    logLevel: 'silent',
  })
})

it(
  'processes that are killed at random moments lose, double and invent nothing',
  { timeout: 120_000 },
  async () => {
    const { kills, problems, faults, ok } = await runCampaign({ kills: 20, seed: 1, jobs: 2, victim })
    expect(problems).toEqual([])
    expect(Object.values(faults).every(count => count === 0)).toBe(true)
    expect([ok, kills >= 20]).toEqual([true, true])
  },
)

it('a flush that lies is found out', { timeout: 120_000 }, async () => {
  const { faults, ok, problems } = await runCampaign({
    kills: 20,
    seed: 1,
    jobs: 2,
    victim,
    plant: 'lying-flush',
  })
  expect(ok).toBe(false)
  expect(faults.eventsLost).toBeGreaterThan(0)
  for (const problem of problems) {
    const directory = /\/\S*agent-spine-crash-\w+/.exec(problem)?.[0]
    if (directory) rmSync(dirname(join(directory, 'x')), { recursive: true, force: true })
  }
})
