import { DEFAULT_MAX_PARALLEL_TOOL_CALLS } from '@agent-spine/scheduler'
import { HarnessError } from '@agent-spine/schema'
import { AbortWatch } from './abort-watch.js'
import { type Batch, type RuntimeParts, type Stages } from './batch.js'
import { type BindOptions, type BoundTools } from './bound-tools.js'
import { callClassifier } from './classify.js'
import { abandon, dispatch } from './dispatch.js'
import { finalize, finish } from './finalize.js'
import { prepare } from './prepare.js'
import { startTimeout } from './timer.js'

const defaultLimitMs = 30_000

/** Turns what a runtime owns into the stages of one batch. @throws HarnessError `INVALID_OPTION` */
export function bindBatch(parts: RuntimeParts, options: BindOptions): BoundTools {
  const stages = batchStages({
    ...parts,
    options,
    abortGraceMs: duration('abortGraceMs', options.abortGraceMs ?? defaultLimitMs),
    hookLimitMs: duration('hookLimitMs', options.hookLimitMs ?? defaultLimitMs),
    approvalLimitMs: duration('approvalLimitMs', options.approvalLimitMs ?? Infinity),
    maxParallelSubCalls: atLeastOne(options.maxParallelSubCalls ?? DEFAULT_MAX_PARALLEL_TOOL_CALLS),
    startTimer: options.startTimer ?? startTimeout,
    aborts: new AbortWatch(),
    stages: batchStages,
  })
  // The scheduler hands back the executions that prepare made, so an execution here is one of ours.
  return { ...stages, executionMode: stages.mode }
}

function batchStages(batch: Batch): Stages {
  const classifier = callClassifier(batch.tools)
  return {
    mode: call => classifier.mode(call),
    prepare: (call, mode, signal) => prepare(batch, classifier, { call, mode, signal }),
    dispatch: (execution, signal) => dispatch(batch, execution, signal),
    finalize: (execution, settled) => finalize(batch, execution, settled),
    finish: (execution, settled) => finish(batch, execution, settled),
    abandon,
  }
}

function duration(name: string, milliseconds: number): number {
  if (milliseconds >= 0) return milliseconds
  throw new HarnessError('INVALID_OPTION', `${name} must be a number of milliseconds, found ${milliseconds}`)
}

function atLeastOne(count: number): number {
  if (Number.isInteger(count) && count > 0) return count
  throw new HarnessError('INVALID_OPTION', `maxParallelSubCalls must be a positive integer, found ${count}`)
}
