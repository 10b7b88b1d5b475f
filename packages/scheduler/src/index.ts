export { type CallJournal, type FailureReport, type UncommittedCall } from './call-journal.js'
export {
  type Awaitable,
  type CallStages,
  type Dispatched,
  type Preparation,
  type SettledKind,
} from './call-stages.js'
export { type ExecutionMode } from './execution-mode.js'
export { type CallOutcome, runCalls, type RunCallsOptions } from './run-calls.js'
export { DEFAULT_MAX_PARALLEL_TOOL_CALLS, type RunOptions, type RunSummary } from './run-options.js'
export { runStagedCalls } from './run-staged-calls.js'
