import type { Tool, ToolOutcome } from '@agent-spine/tools'

/**
 * A tool as `generateText`, `streamText` and agents of AI SDK 6 and 7 take it, by shape, so that no version of `ai` has to be
 * installed.
 */
export interface AiSdkTool {
  readonly description: string
  readonly inputSchema: AiSdkInputSchema
  /** Takes the call through the runtime. Rejects with a {@link AiSdkToolError} for every outcome that is an error. */
  readonly execute: (
    input: unknown,
    options: { readonly toolCallId: string; readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<ToolOutcome>
  readonly toModelOutput: (result: { readonly output: ToolOutcome }) => AiSdkModelOutput
}

/** What the model reads of a result. */
export type AiSdkModelOutput =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'content'; value: AiSdkModelOutputItem[] }

export type AiSdkModelOutputItem =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image-data'; readonly data: string; readonly mediaType: string }
  | { readonly type: 'image-url'; readonly url: string }

/** A Standard Schema with its JSON Schema, which takes every value: the runtime is what judges. */
export interface AiSdkInputSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: unknown }
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
      readonly output: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

/**
 * The parameters of a tool, told to the model as they are. The AI SDK reads the schema by its own symbol where it is, and
 * adds nothing to it then.
 */
export function inputSchema({ parameters }: Tool): AiSdkInputSchema {
  // A copy, because consumers add keywords of their own to what they are given.
  const jsonSchema = (): Record<string, unknown> =>
    structuredClone(parameters) as unknown as Record<string, unknown>
  const schema = {
    [Symbol.for('vercel.ai.schema')]: true,
    get jsonSchema() {
      return jsonSchema()
    },
    validate: undefined,
    '~standard': {
      version: 1 as const,
      vendor: 'agent-spine',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  }
  return schema
}
