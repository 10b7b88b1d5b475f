import { type ToolSchema } from '@agent-spine/model'
import { type JsonObject, type JsonSchemaNode, type JsonValue } from '@agent-spine/schema'

/** A tool in a provider's words. */
export interface ConvertedTool<Format> {
  readonly tool: Format
  /**
   * What the provider was asked to enforce and will not, one sentence each. The runtime enforces all of it: this is for
   * judging how often a model has to try again.
   */
  readonly weakened: readonly string[]
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
  const strict = options.strict ? strictDialect(parameters) : undefined
  const enforced = strict !== undefined && strict.obstacles.length === 0
  return {
    tool: {
      type: 'function',
      function: {
        name,
        description,
        parameters: enforced ? strict.schema : parameters,
        strict: enforced,
      },
    },
    weakened: strict === undefined ? [] : enforced ? strict.loosened : strict.obstacles,
  }
}

/** A tool for Anthropic's messages, whose dialect can say all that our schemas say. */
export function toAnthropic({ name, description, parameters }: ToolSchema): ConvertedTool<AnthropicTool> {
  return { tool: { name, description, input_schema: parameters }, weakened: [] }
}

interface StrictDialect {
  readonly schema: JsonObject
  /** What the dialect cannot say, so that the tool cannot be strict. */
  readonly obstacles: string[]
  /** What it can only say more loosely. */
  readonly loosened: string[]
}

/**
 * OpenAI's strict dialect: every object closed, every property required, `anyOf` in place of `oneOf`, no schema that
 * takes anything (platform.openai.com, "Structured outputs: supported schemas").
 */
function strictDialect(parameters: JsonObject): StrictDialect {
  const obstacles: string[] = []
  const loosened: string[] = []

  function convert(node: JsonSchemaNode, path: string): JsonObject {
    const { oneOf, properties, items, type, ...rest } = node
    if (oneOf) {
      loosened.push(`${path}: a value that fits several branches of oneOf is accepted (sent as anyOf)`)
      return { ...rest, anyOf: oneOf.map((branch, index) => convert(branch, `${path}|${index}`)) }
    }
    if (type === undefined) obstacles.push(`${path}: any JSON value is allowed`)
    if (type === 'array' && !items) obstacles.push(`${path}: items of any kind are allowed`)
    if (type === 'object' && rest.additionalProperties !== false) {
      obstacles.push(`${path}: undeclared properties are allowed`)
    }
    for (const name of Object.keys(properties ?? {})) {
      if (!rest.required?.includes(name)) obstacles.push(`${path}.${name}: the property is optional`)
    }
    return {
      ...rest,
      ...(type && { type }),
      ...(items && { items: convert(items, `${path}[]`) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]): [string, JsonValue] => [
            name,
            convert(property, `${path}.${name}`),
          ]),
        ),
      }),
    }
  }

  return { schema: convert(parameters, 'arguments'), obstacles, loosened }
}
