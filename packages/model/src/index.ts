export {
  DENIED,
  INVALID_ARGS,
  INVALID_TOOL_OUTPUT,
  RESOURCE_BUSY,
  RESULT_WITHHELD,
  TOOL_ABORTED,
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_NOT_STARTED,
  TOOL_OUTCOME_UNKNOWN,
  TOOL_TIMEOUT,
  UNKNOWN_TOOL,
  type LlmErrorCode,
  type UnrunCode,
} from './codes.js'
export type { BlockStart, FinishReason, StreamChunk, TokenUsage } from './chunk.js'
export { BlockAssembler } from './assembler.js'
export { LlmError, toLlmFailure, type LlmErrorOptions, type LlmFailure } from './errors.js'
export type { LanguageModel, ModelConfig, ModelRequest, ToolChoice, ToolSchema } from './language-model.js'
export type {
  AssistantBlock,
  AssistantMessage,
  ContentBlock,
  ImageBlock,
  Message,
  MessageSource,
  ReasoningBlock,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
  ToolResultContent,
  UserBlock,
  UserMessage,
} from './message.js'
export { wireArguments, wireName } from './wire.js'
export { resultMessage } from './result-message.js'
export { unrunError, unrunResult, unrunText } from './unrun-result.js'
