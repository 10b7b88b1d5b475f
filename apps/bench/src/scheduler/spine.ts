import {
  runCalls,
  runStagedCalls,
  type CallJournal,
  type CallStages,
  type ExecutionMode,
} from '@agent-spine/scheduler'
import type { BatchCandidate } from '../measure-batches.js'
import { body } from './pools.js'

/** How the calls of a batch are classified. */
export type Mix = 'parallel' | 'exclusive' | 'alternating' | 'keyed'

const parallel: ExecutionMode = { kind: 'parallel' }
const exclusive: ExecutionMode = { kind: 'exclusive' }
const keyed: readonly ExecutionMode[] = Array.from({ length: 16 }, (_, key) => ({
  kind: 'parallel',
  key: `file-${key}`,
}))

function modeOf(mix: Mix): (item: number) => ExecutionMode {
  switch (mix) {
    case 'parallel':
      return () => parallel
    case 'exclusive':
      return () => exclusive
    case 'alternating':
      return item => (item % 2 === 0 ? parallel : exclusive)
    case 'keyed':
      return item => keyed[item % keyed.length] ?? parallel
  }
}

/** The short form and the staged form, every stage asynchronous in the latter. */
export function spine(items: readonly number[], mix: Mix): BatchCandidate[] {
  const mode = modeOf(mix)
  return [
    {
      name: `runCalls, ${mix}`,
      run: async () => {
        const [results, commit] = inOrder(items.length)
        await runCalls(items, {
          maxParallel: 10,
          mode,
          run: body,
          commit: (_call, outcome) => {
            if (outcome.kind === 'value') commit(outcome.value)
          },
        })
        return results
      },
      note: 'ordered commit, one outcome per call',
    },
    { name: `runStagedCalls, ${mix}`, run: () => staged(items, mode), note: 'all stages asynchronous' },
  ]
}

async function staged(items: readonly number[], mode: (item: number) => ExecutionMode): Promise<number[]> {
  const [results, commit] = inOrder(items.length)
  const stages: CallStages<number, number, number, number> = {
    mode,
    prepare: call => Promise.resolve({ kind: 'dispatch', execution: call }),
    dispatch: async execution => ({ kind: 'post-result', settled: await body(execution) }),
    finalize: (_execution, settled) => Promise.resolve(settled),
    finish: (_execution, settled) => Promise.resolve(settled),
    abandon: execution => ({ kind: 'final-result', settled: execution }),
  }
  const journal: CallJournal<number, number, number, number> = {
    started: () => undefined,
    committed: (_call, result) => {
      commit(result)
    },
    skipped: () => undefined,
  }
  await runStagedCalls(items, stages, journal, { maxParallel: 10 })
  return results
}

/** A place for every result, as the bare loop has it: a list that grows would be measured with what fills it. */
function inOrder(length: number): readonly [number[], (result: number) => void] {
  const results = new Array<number>(length)
  let committed = 0
  return [results, result => (results[committed++] = result)]
}
