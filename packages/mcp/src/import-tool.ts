import { type ToolResultContent } from '@agent-spine/model'
import {
  compileSchema,
  HarnessError,
  importJsonSchema,
  type JsonObject,
  type JsonValue,
  type SchemaChange,
  type Validator,
} from '@agent-spine/schema'
import { defineTool, fromJsonSchema, type ImportedParameters, type Tool } from '@agent-spine/tools'
import { callServer } from './call-server.js'
import { reasonText } from './errors.js'
import { isObject, ownOf, textOf } from './json-facts.js'
import { type Line } from './line.js'
import { type McpToolValue } from './read-result.js'
import { toolName } from './tool-name.js'

/** How the tools of a server are taken over. */
export interface McpImportOptions {
  /** Put before every tool's name, to tell the tools of several servers apart: `files_`, for example. */
  readonly prefix?: string
  /** Take schemas that can only be enforced in part; everything that is not enforced is reported. Default: leave the tool out. */
  readonly lossy?: boolean
  /** Let calls of tools that claim `readOnlyHint` overlap with others. Default: a hint is no proof, so every call runs alone. */
  readonly trustReadOnlyHint?: boolean
  /** How long one call may take, in milliseconds. Default: for as long as it takes. */
  readonly timeoutMs?: number
}

/** Whether a tool's structured content is held to the schema that the server gave for it. */
export type McpOutputCheck =
  | { readonly kind: 'none' }
  | { readonly kind: 'checked'; readonly changes: readonly SchemaChange[] }
  /** The schema cannot be enforced. */
  | { readonly kind: 'unchecked'; readonly reason: string }

/** What became of one tool that a server has. */
export type McpToolImport =
  | {
      readonly kind: 'imported'
      readonly mcpName: string
      readonly tool: Tool
      /** What of its input schema is not enforced as it was written; the same as `tool.schemaChanges`. */
      readonly changes: readonly SchemaChange[]
      readonly output: McpOutputCheck
      /** What the server claims of the tool, such as `destructiveHint`. Not to be trusted, unless the server is. */
      readonly annotations: JsonObject
    }
  | { readonly kind: 'left-out'; readonly mcpName: string; readonly reason: string }

/** Turns the tools that a server listed into tools of ours, in its order, and says which were left out. */
export function importTools(
  line: Line,
  listed: readonly JsonValue[],
  options: McpImportOptions,
): readonly McpToolImport[] {
  const taken = new Set<string>()
  return listed.map(entry => {
    const imported = importTool(line, entry, { ...options, taken })
    if (imported.kind === 'imported') taken.add(imported.tool.name)
    return Object.freeze(imported)
  })
}

interface NamingOptions extends McpImportOptions {
  readonly taken: ReadonlySet<string>
}

function importTool(line: Line, entry: JsonValue, options: NamingOptions): McpToolImport {
  const mcpName = isObject(entry) ? textOf(entry, 'name') : undefined
  if (!isObject(entry) || mcpName === undefined) {
    return { kind: 'left-out', mcpName: '', reason: 'it has no name' }
  }
  const leftOut = (reason: string): McpToolImport => ({ kind: 'left-out', mcpName, reason })
  const execution = ownOf(entry, 'execution')
  if (isObject(execution) && execution['taskSupport'] === 'required') {
    return leftOut('it can only be called as a task, which is not supported')
  }
  const { name, problem } = toolName(mcpName, options.prefix ?? '', options.taken)
  if (name === undefined) return leftOut(problem)
  const inputSchema = ownOf(entry, 'inputSchema')
  if (!isObject(inputSchema)) return leftOut('its input schema is not an object')
  try {
    const parameters = fromJsonSchema(inputSchema, { lossy: options.lossy === true })
    return define(line, { entry, mcpName, name, parameters }, options)
  } catch (error) {
    if (!HarnessError.is(error)) throw error
    return leftOut(reasonText(error))
  }
}

interface NamedTool {
  readonly entry: JsonObject
  readonly mcpName: string
  readonly name: string
  readonly parameters: ImportedParameters
}

function define(line: Line, named: NamedTool, options: McpImportOptions): McpToolImport {
  const { entry, mcpName, name, parameters } = named
  const annotations = ownOf(entry, 'annotations')
  const hints = isObject(annotations) ? annotations : {}
  const isReadOnly = options.trustReadOnlyHint === true && hints['readOnlyHint'] === true
  const { check, validator } = outputCheck(ownOf(entry, 'outputSchema'), options)
  const tool = defineTool({
    name,
    description: describe(entry, hints, line.serverName),
    parameters,
    output: { schema: validator, render: ({ content }): readonly ToolResultContent[] => content },
    isConcurrencySafe: () => isReadOnly,
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    execute: (args, context) => callServer(line, { mcpName, args, context }),
  })
  return {
    kind: 'imported',
    mcpName,
    tool,
    changes: tool.schemaChanges,
    output: check,
    annotations: hints,
  }
}

function describe(entry: JsonObject, hints: JsonObject, serverName: string): string {
  return (
    textOf(entry, 'description') ??
    textOf(entry, 'title') ??
    textOf(hints, 'title') ??
    `The tool "${textOf(entry, 'name') ?? ''}" of the MCP server "${serverName}".`
  )
}

interface OutputRules {
  readonly check: McpOutputCheck
  readonly validator: Validator<McpToolValue>
}

/** The content is checked by us when it is read; what is left is the structure that the server promised. */
function outputCheck(outputSchema: JsonValue | undefined, { lossy }: McpImportOptions): OutputRules {
  const content = { type: 'array' } as const
  const unchecked = compileSchema<McpToolValue>({ type: 'object', properties: { content } })
  if (outputSchema === undefined) return { check: { kind: 'none' }, validator: unchecked }
  try {
    const { schema, changes } = importJsonSchema(outputSchema, { lossy: lossy === true })
    const validator = compileSchema<McpToolValue>({
      type: 'object',
      properties: { content, structured: schema },
      required: ['content', 'structured'],
    })
    return { check: { kind: 'checked', changes }, validator }
  } catch (error) {
    if (!HarnessError.is(error)) throw error
    return { check: { kind: 'unchecked', reason: reasonText(error) }, validator: unchecked }
  }
}
