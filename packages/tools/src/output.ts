import { type ToolResultContent } from '@agent-spine/model'
import { compileSchema, type JsonValue, snapshotJson, type Validator } from '@agent-spine/schema'
import { contained, dropRejection } from './contained.js'
import { isResultContent, textContent, wellFormed } from './content.js'
import { maxViolations, ToolOutputError } from './errors.js'
import { describeThrown } from './thrown.js'
import { type ToolOutput } from './tool.js'
import { wellFormedJson } from './well-formed-json.js'

/** What a tool's definition says of its value, with types erased. */
export interface OutputDefinition {
  readonly toolName: string
  /** Missing: any JSON value, or none. */
  readonly validator?: Validator<unknown> | undefined
  readonly render?: ((value: JsonValue) => unknown) | undefined
  readonly presentationMeta?: ((value: JsonValue) => unknown) | undefined
}

/** How a tool's value is checked and rendered. */
export interface OutputRules {
  /** A detached, frozen copy of a value that fits. @throws ToolOutputError */
  check(value: unknown): JsonValue
  /** What the model and user interfaces get of a value. @throws ToolOutputError */
  render(value: unknown): ToolOutput
}

const anyJson = compileSchema({})

/** Turns an output definition into the functions that enforce it. */
export function outputRules(definition: OutputDefinition): OutputRules {
  const { toolName, render = renderJson, presentationMeta } = definition
  const validator = definition.validator ?? anyJson
  const checked = new WeakSet<object>()

  function misfit(value: unknown, cause?: unknown): ToolOutputError {
    const violations = validator.violations(value, { path: 'value', limit: maxViolations })
    const reasons = violations.length > 0 ? violations : [describeThrown(cause).message]
    return new ToolOutputError(toolName, reasons, cause === undefined ? {} : { cause })
  }

  function check(value: unknown): JsonValue {
    if (typeof value === 'object' && value !== null && checked.has(value)) return value as JsonValue
    const copy = detached(value)
    if (!validator.check(copy)) throw misfit(copy)
    if (typeof copy === 'object' && copy !== null) checked.add(copy)
    return copy
  }

  function detached(value: unknown): JsonValue {
    if (typeof value === 'string') return wellFormed(value)
    try {
      return wellFormedJson(snapshotJson(value === undefined && !definition.validator ? null : value))
    } catch (cause) {
      throw misfit(value, cause)
    }
  }

  function rendered(value: JsonValue): readonly ToolResultContent[] {
    try {
      const content = render(value)
      if (typeof content === 'string') return textContent(content)
      dropRejection(content)
      // A snapshot: what is checked here is what is committed, whatever getters the content had.
      const copy: unknown = snapshotJson(content)
      if (isResultContent(copy)) return copy
    } catch (cause) {
      throw new ToolOutputError(toolName, [`it cannot be rendered: ${describeThrown(cause).message}`], {
        cause,
      })
    }
    throw new ToolOutputError(toolName, [
      'it cannot be rendered: expected text, or a list of text and image blocks',
    ])
  }

  function renderValue(value: unknown): ToolOutput {
    const fitting = check(value)
    const content = rendered(fitting)
    const meta = contained(() => presentationMeta && readMeta(presentationMeta(fitting)))
    return { value: fitting, content, ...(meta !== undefined && { meta }) }
  }

  return { check, render: renderValue }
}

/** The model reads a string as it is, and nothing at all for a body without a value. */
function renderJson(value: JsonValue): string {
  if (typeof value === 'string') return value
  return value === null ? '' : JSON.stringify(value)
}

/** Facts for user interfaces are not worth the failure of a call that has succeeded. */
function readMeta(meta: unknown): JsonValue {
  dropRejection(meta)
  return snapshotJson(meta)
}
