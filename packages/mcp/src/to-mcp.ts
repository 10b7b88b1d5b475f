import { type JsonSchemaNode } from '@agent-spine/schema'
import { type ConvertedTool, type Tool } from '@agent-spine/tools'

/** A tool in the words of MCP. */
export interface McpTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchemaNode
  readonly outputSchema?: JsonSchemaNode
}

/** A tool as an MCP server lists it. Schemas are sent whole; only an output that is no object has no place there. */
export function toMcp(
  tool: Pick<Tool, 'name' | 'description' | 'parameters' | 'outputSchema'>,
): ConvertedTool<McpTool> {
  const { name, description, parameters, outputSchema } = tool
  const hasOutput = outputSchema?.type === 'object'
  return {
    tool: {
      name,
      description,
      inputSchema: parameters,
      ...(hasOutput && { outputSchema }),
    },
    weakened:
      outputSchema && !hasOutput
        ? ['the output schema is not sent, because its root is not an object; the runtime still enforces it']
        : [],
    refused: [],
  }
}
