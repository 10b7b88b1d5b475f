import type { ModelConfig, ModelRequest, ToolChoice, ToolSchema } from '@agent-spine/model'
import type { JsonObject } from '@agent-spine/schema'
import { toOpenAI } from '@agent-spine/tools'
import type { Dialect } from './dialect.js'
import { toPrompt } from './prompt.js'
import type { CallOptions, FunctionTool, ProviderOptions } from './sdk-model.js'

/** Turns a request into the options of one call. @throws LlmError `INVALID_REQUEST` */
export function toCallOptions(
  request: ModelRequest,
  dialect: Dialect,
  abortSignal: AbortSignal,
): CallOptions {
  const { config, tools = [] } = request
  return {
    prompt: toPrompt(request, dialect),
    ...sampling(config),
    ...(tools.length > 0 && {
      tools: tools.map(tool => functionTool(tool, dialect)),
      ...(config.toolChoice !== undefined && { toolChoice: toolChoice(config.toolChoice) }),
    }),
    ...(config.providerOptions && { providerOptions: config.providerOptions as ProviderOptions }),
    abortSignal,
  }
}

function sampling(config: ModelConfig): Partial<CallOptions> {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty, seed } = config
  const { maxOutputTokens, stopSequences } = config
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(seed !== undefined && { seed }),
    ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
  }
}

function functionTool(tool: ToolSchema, { anySchema }: Dialect): FunctionTool {
  const { name, description } = tool
  const inputSchema: JsonObject = anySchema ? tool.parameters : toOpenAI(tool).tool.function.parameters
  return { type: 'function', name, description, inputSchema }
}

function toolChoice(choice: ToolChoice): NonNullable<CallOptions['toolChoice']> {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool }
}
