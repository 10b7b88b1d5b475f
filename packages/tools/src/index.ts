export type { BindOptions, BoundTools, SubCallEvent } from './bound-tools.js'
export {
  defineTool,
  type OutputInput,
  type ToolDefinition,
  type ToolOutputDefinition,
  type ValueOf,
} from './define-tool.js'
export { ToolArgsError, ToolOutputError } from './errors.js'
export type { ToolExecution, ToolSettled } from './execution.js'
export { toAnthropic, toOpenAI, type AnthropicTool, type ConvertedTool, type OpenAITool } from './formats.js'
export type {
  ApprovalRequest,
  Approver,
  CheckedCall,
  NextOptions,
  PostDecision,
  PreDecision,
  SettledCall,
  ToolGuard,
  ToolHooks,
} from './hooks.js'
export { toolResultMessage, unrunOutcome, type ToolOutcome } from './outcome.js'
export {
  fromJsonSchema,
  type ArgsOf,
  type ImportedParameters,
  type ParametersInput,
  type StandardSchema,
} from './parameters.js'
export {
  createToolRuntime,
  type ExecuteOptions,
  type ObservedOutcome,
  type ToolRuntime,
  type ToolRuntimeOptions,
} from './runtime.js'
export type {
  CheckedArguments,
  ContextMessage,
  PresentableResult,
  SubCallRequest,
  Tool,
  ToolContext,
  ToolOutput,
} from './tool.js'
export type { StartTimer } from './timer.js'
export { parseArguments, type ToolCall } from './tool-call.js'
export type { ToolCallView, ToolResultView } from './views.js'
