export { createAgent, type Agent, type Cancellation, type MaintenanceContext } from './agent.js'
export type { AgentEvent, AgentStatus } from './agent-events.js'
export type { AgentOptions } from './agent-options.js'
export type { EventOf } from './emitter.js'
export type { EventStreamOptions } from './event-stream.js'
export type {
  AgentHooks,
  ErrorDecision,
  HookContext,
  PreStepContext,
  RequestContext,
  RequestErrorContext,
  StepEntry,
  StopDecision,
} from './hooks.js'
export type { AgentInput } from './input.js'
export type { Receipt, ReceiptState } from './receipt.js'
export type { RetryPolicy } from './retry.js'
export type { TurnCall, TurnOutcome } from './turn-outcome.js'
