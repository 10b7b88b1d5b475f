import { type ToolSchema } from '@agent-spine/model'
import { type JsonObject } from '@agent-spine/schema'

/** A tool in a provider's words, and what the provider's dialect cannot enforce. */
export interface ConvertedTool<Format> {
  readonly tool: Format
  /** Empty when the provider enforces all that our schema says. */
  readonly weakened: readonly string[]
}

/** A function tool of OpenAI's chat completions. */
export interface OpenAITool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
    readonly strict?: boolean
  }
}

/** A client tool of Anthropic's messages. */
export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonObject
}

export declare function toOpenAI(
  tool: ToolSchema,
  options?: { readonly strict?: boolean },
): ConvertedTool<OpenAITool>
export declare function toAnthropic(tool: ToolSchema): ConvertedTool<AnthropicTool>
