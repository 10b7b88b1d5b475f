import { defineCommand, type CommandDef } from 'citty'
import { loopBench } from './loop/command.js'
import { measure, sunk, type Comparison, type Measurement } from './measure.js'
import { measureBatches, type BatchComparison } from './measure-batches.js'
import { schedulerComparisons } from './scheduler/comparisons.js'
import { assertAgreement } from './schema/agreement.js'
import { schemaComparisons, schemaPeers } from './schema/comparisons.js'
import { typeCheckCost } from './schema/type-check.js'
import { sessionBench } from './session/command.js'
import { table } from './table.js'
import { toolComparisons } from './tools/comparisons.js'

/** A measurement of its own kind. */
interface Inspection {
  readonly title: string
  readonly inspect: () => Promise<Measurement>
}

type AnyComparison = Comparison | BatchComparison | Inspection

const args = {
  json: { type: 'boolean', description: 'Print one JSON document instead of tables' },
  rounds: { type: 'string', description: 'How often every candidate is timed', default: '31' },
  only: { type: 'string', description: 'Run only comparisons whose title contains this' },
} as const

interface Benchmark {
  readonly name: string
  readonly description: string
  readonly comparisons: () => readonly AnyComparison[] | Promise<readonly AnyComparison[]>
}

function measureAny(comparison: AnyComparison, rounds: number): Measurement | Promise<Measurement> {
  if ('inspect' in comparison) return comparison.inspect()
  return 'size' in comparison ? measureBatches(comparison, rounds) : measure(comparison, { rounds })
}

function command({ name, description, comparisons }: Benchmark): CommandDef<typeof args> {
  return defineCommand({
    meta: { name, description },
    args,
    run: async ({ args: { json, rounds, only = '' } }) => {
      const chosen = (await comparisons()).filter(({ title }) =>
        title.toLowerCase().includes(only.toLowerCase()),
      )
      const results: Measurement[] = []
      for (const comparison of chosen) {
        const result = await measureAny(comparison, Number(rounds))
        if (json !== true) console.log(table(result))
        results.push(result)
      }
      const machine = {
        node: process.version,
        platform: process.platform,
        arch: process.arch,
        rounds: Number(rounds),
      }
      if (json === true) console.log(JSON.stringify({ machine, results }))
      else
        console.log(
          `Node ${machine.node}, best of ${machine.rounds} interleaved rounds, ${sunk()} answers read.`,
        )
    },
  })
}

const benchmarks: readonly Benchmark[] = [
  {
    name: 'schema',
    description: 'The validator against its peers',
    comparisons: async () => {
      const peers = await schemaPeers()
      peers.forEach(assertAgreement)
      return [...schemaComparisons(peers), typeCheckCost]
    },
  },
  { name: 'scheduler', description: 'The pool against its peers', comparisons: schedulerComparisons },
  {
    name: 'tools',
    description: 'A call through registry, pipeline, scheduler and log',
    comparisons: toolComparisons,
  },
]

export const bench = defineCommand({
  meta: { name: 'bench', description: 'Side-by-side benchmarks, as ratios measured in one process' },
  subCommands: {
    ...Object.fromEntries(benchmarks.map(benchmark => [benchmark.name, command(benchmark)])),
    session: sessionBench,
    loop: loopBench,
  },
})
