import { type ToolResultContent } from '@agent-spine/model'
import {
  type ExactValueSpec,
  type InferValue,
  type JsonValue,
  type ValueSchemaSpec,
} from '@agent-spine/schema'
import { type ArgsOf, type ExactParameters, type ParametersInput } from './parameters.js'
import { type PresentableResult, type Tool, type ToolContext } from './tool.js'
import { type ToolCallView, type ToolResultView } from './views.js'

/** The type of a body's value: what the output spec says, or any JSON value, or nothing. */
export type ValueOf<Output> = [Output] extends [never]
  ? unknown
  : Output extends ValueSchemaSpec
    ? InferValue<Output>
    : never

/** What a tool's value is, and how the model reads it. */
export interface ToolOutputDefinition<Output> {
  readonly schema: Output & ExactValueSpec<Output>
  /** Default: a string as it is, anything else as JSON. */
  readonly render?: (value: ValueOf<NoInfer<Output>>) => string | readonly ToolResultContent[]
  /** Facts for user interfaces; the model does not see them. */
  readonly presentationMeta?: (value: ValueOf<NoInfer<Output>>) => JsonValue
}

/** What `defineTool` takes. */
export interface ToolDefinition<Input, Output> {
  /** `[A-Za-z0-9_-]{1,64}`: what every provider accepts. */
  readonly name: string
  readonly description: string
  readonly parameters: Input & ExactParameters<Input>
  /** Refuse undeclared arguments; for `parameters` in the author DSL, whose root is open by default. */
  readonly closed?: boolean
  readonly output?: (Output & ExactValueSpec<Output>) | ToolOutputDefinition<Output>
  /** Whether this call may overlap with others. Without it, or for anything but `true`, the call runs alone. */
  readonly isConcurrencySafe?: (args: ArgsOf<NoInfer<Input>>) => boolean
  /** Calls of any tools with the same key never overlap: a path, for example. */
  readonly conflictKey?: (args: ArgsOf<NoInfer<Input>>) => string | undefined
  /** How long the body may run. Default: for as long as it takes. */
  readonly timeoutMs?: number
  readonly execute: (
    args: ArgsOf<NoInfer<Input>>,
    context: ToolContext,
  ) => ValueOf<NoInfer<Output>> | PromiseLike<ValueOf<NoInfer<Output>>>
  readonly presentCall?: (args: ArgsOf<NoInfer<Input>>) => ToolCallView
  readonly presentResult?: (args: ArgsOf<NoInfer<Input>>, result: PresentableResult) => ToolResultView
  /** Last word on the content the model reads, for errors too. What it throws is ignored. */
  readonly finalizeContent?: (
    content: readonly ToolResultContent[],
    info: { readonly isError: boolean },
  ) => readonly ToolResultContent[]
}

/**
 * Defines a tool. The spec is checked exactly, when it compiles and when it runs; arguments that do not validate never
 * reach `execute`.
 *
 * @throws HarnessError `INVALID_TOOL` or `UNSUPPORTED_SCHEMA`, naming everything that is wrong.
 */
export declare function defineTool<
  const Input extends ParametersInput,
  const Output extends ValueSchemaSpec = never,
>(definition: ToolDefinition<Input, Output>): Tool
