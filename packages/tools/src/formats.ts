import { type ToolSchema } from '@agent-spine/model'
import { exportProblems, type JsonObject, type JsonSchemaNode, type JsonValue } from '@agent-spine/schema'

/** A tool in a provider's words. */
export interface ConvertedTool<Format> {
  readonly tool: Format
  /**
   * What the provider was asked to hold the model to and will not, one sentence each. The runtime enforces all of it;
   * this is for judging how often a model has to try again.
   */
  readonly weakened: readonly string[]
  /** What the provider is known to refuse in this tool, one sentence each. */
  readonly refused: readonly string[]
}

/** A function tool of OpenAI's chat completions. */
export interface OpenAITool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
    readonly strict: boolean
  }
}

/** A client tool of Anthropic's messages. */
export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonObject
}

/**
 * A tool for OpenAI's chat completions, and for servers that speak them. With `strict`, the provider holds the model to
 * the schema, if its strict dialect can say what the schema says; `weakened` tells what stands in the way.
 */
export function toOpenAI(
  { name, description, parameters }: ToolSchema,
  options: { readonly strict?: boolean } = {},
): ConvertedTool<OpenAITool> {
  const { schema, loosened, untyped } = openAIDialect(parameters)
  const converted = exportProblems(parameters, 'openai')
  const strictProblems = exportProblems(parameters, 'openai-strict')
  const obstacles = [...strictProblems.filter(problem => !converted.includes(problem)), ...untyped]
  const strict = options.strict === true && obstacles.length === 0
  return {
    tool: { type: 'function', function: { name, description, parameters: schema, strict } },
    weakened: [...loosened, ...(options.strict === true ? obstacles : [])],
    refused: [],
  }
}

/** A tool for Anthropic's messages, whose dialect can say all that our schemas say. */
export function toAnthropic({ name, description, parameters }: ToolSchema): ConvertedTool<AnthropicTool> {
  return {
    tool: { name, description, input_schema: parameters },
    weakened: [],
    refused: exportProblems(parameters, 'anthropic'),
  }
}

interface OpenAIDialect {
  readonly schema: JsonObject
  /** What the dialect says more loosely. */
  readonly loosened: readonly string[]
  /** What it can only say as a schema that takes anything. */
  readonly untyped: readonly string[]
}

/** The dialect refuses `oneOf`, and arrays without `items`. */
function openAIDialect(parameters: JsonObject): OpenAIDialect {
  const loosened: string[] = []
  const untyped: string[] = []

  function convert(node: JsonSchemaNode, path: string): JsonObject {
    const { oneOf, properties, items, ...rest } = node
    if (oneOf) {
      loosened.push(`"${path}" is sent as "anyOf": a value may fit several branches of "oneOf"`)
      return { ...rest, anyOf: oneOf.map((branch, index) => convert(branch, `${path}.oneOf[${index}]`)) }
    }
    if (node.type === 'array' && !items) untyped.push(`"${path}" must have "items"`)
    return {
      ...rest,
      ...(node.type === 'array' && { items: items ? convert(items, `${path}.items`) : {} }),
      ...(properties && { properties: convertProperties(properties, path) }),
    }
  }

  function convertProperties(properties: Readonly<Record<string, JsonSchemaNode>>, path: string): JsonObject {
    const entries = Object.entries(properties).map(([name, node]): [string, JsonValue] => [
      name,
      convert(node, `${path}.properties.${name}`),
    ])
    return Object.fromEntries(entries)
  }

  return { schema: convert(parameters, 'schema'), loosened, untyped }
}
