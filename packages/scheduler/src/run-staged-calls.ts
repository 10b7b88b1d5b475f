import { type CallJournal } from './call-journal.js'
import { type CallStages } from './call-stages.js'
import { type RunOptions, type RunSummary } from './run-options.js'

// eslint-disable-next-line max-params -- calls, what to do, where to write it down, and options: the published signature
export declare function runStagedCalls<Call, Execution, Settled, Result>(
  calls: readonly Call[],
  stages: CallStages<Call, Execution, Settled, Result>,
  journal: CallJournal<Call, Execution, Settled, Result>,
  options?: RunOptions,
): Promise<RunSummary>
