import { type ToolSchema } from '@agent-spine/model'
import { type JsonObject, snapshotJson } from '@agent-spine/schema'
import { type Tool } from './tool.js'

const schemas = new WeakMap<Tool, ToolSchema>()

/** What a model is told of a tool. Frozen, and the same object every time. */
export function toolSchema(tool: Tool): ToolSchema {
  const known = schemas.get(tool)
  if (known !== undefined) return known
  const { name, description, parameters } = tool
  // A schema of an object is a JSON object; its interface only lacks the index signature.
  const schema = Object.freeze({ name, description, parameters: snapshotJson(parameters) as JsonObject })
  schemas.set(tool, schema)
  return schema
}
