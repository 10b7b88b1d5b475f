import type { ToolResultContent } from '@agent-spine/model'
import {
  createToolRuntime,
  type BindOptions,
  type ContextMessage,
  type Tool,
  type ToolOutcome,
  type ToolRuntime,
} from '@agent-spine/tools'
import { AiSdkToolError } from './ai-sdk-tool-error.js'
import { inputSchema, type AiSdkModelOutput, type AiSdkTool } from './ai-sdk-tool.js'
import { CallOrder } from './call-order.js'

/** How the runtime runs the calls: limits, progress, and the seams to a log. */
export type ToAiSdkToolsOptions = Omit<BindOptions, 'context' | 'concludeTurn'>

/**
 * Our tools as tools of AI SDK 6 and 7, by name. Every call passes the runtime's pipeline: arguments that do not fit never
 * reach a body, hooks, guards and approval decide, and calls overlap only where their tools allow it, as far as they are
 * calls of one returned set.
 *
 * A runtime's tools are those of the moment: call it again after a change, with the same runtime.
 *
 * @example
 * ```ts
 * await generateText({ model, tools: toAiSdkTools(runtime), prompt: 'Read a.txt.' })
 * ```
 */
export function toAiSdkTools(
  tools: ToolRuntime | readonly Tool[],
  options: ToAiSdkToolsOptions = {},
): Record<string, AiSdkTool> {
  const runtime = 'execute' in tools ? tools : createToolRuntime({ tools })
  const run = runner(runtime, options)
  const offered = runtime.schemas().flatMap(({ name }) => runtime.get(name) ?? [])
  return Object.fromEntries(offered.map(tool => [tool.name, toAiSdkTool(tool, run)]))
}

type Run = (name: string, ...call: Parameters<AiSdkTool['execute']>) => Promise<ToolOutcome>

function toAiSdkTool(tool: Tool, run: Run): AiSdkTool {
  return {
    description: tool.description,
    inputSchema: inputSchema(tool),
    execute: (input, options) => run(tool.name, input, options),
    toModelOutput: ({ output }) => modelOutput(output.content),
  }
}

function runner(runtime: ToolRuntime, options: ToAiSdkToolsOptions): Run {
  const order = new CallOrder()
  const stages = runtime.bind(options)
  return async (name, input, { toolCallId, abortSignal }) => {
    const call = { callId: toolCallId, name, arguments: argumentText(input) }
    const contexts: ContextMessage[] = []
    const outcome = await order.run(stages.mode(call), abortSignal, () =>
      runtime.execute(call, {
        ...options,
        ...(abortSignal && { signal: abortSignal }),
        context: (_, message) => contexts.push(message),
      }),
    )
    // The AI SDK has no messages at the next step, so they follow the result.
    const content = [...outcome.content, ...contexts.flatMap(contextBlocks)]
    if (outcome.isError) throw new AiSdkToolError(outcome, content.map(asText).join('\n'))
    return Object.freeze({ ...outcome, content: Object.freeze(content) })
  }
}

/** The runtime reads arguments as a model writes them. What is no JSON is left to its judgement too. */
function argumentText(input: unknown): string {
  try {
    const text: unknown = JSON.stringify(input)
    return typeof text === 'string' ? text : String(input)
  } catch {
    return String(input)
  }
}

function contextBlocks(message: ContextMessage): readonly ToolResultContent[] {
  return typeof message === 'string' ? [{ type: 'text', text: message }] : message
}

function asText(block: ToolResultContent): string {
  return block.type === 'text' ? block.text : `[an image (${block.mediaType}) was left out]`
}

function modelOutput(content: readonly ToolResultContent[]): AiSdkModelOutput {
  if (content.every(block => block.type === 'text')) {
    return { type: 'text', value: content.map(({ text }) => text).join('\n') }
  }
  return {
    type: 'content',
    value: content.map(block => {
      if (block.type === 'text') return { type: 'text', text: block.text }
      const { mediaType, data } = block
      return data.kind === 'url'
        ? { type: 'image-url', url: data.url }
        : { type: 'image-data', data: data.base64, mediaType }
    }),
  }
}
