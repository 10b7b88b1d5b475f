import { type ExecutionMode } from '@agent-spine/scheduler'
import { type VisibleTools } from './batch.js'
import { type CheckedArguments, type Tool } from './tool.js'
import { readArguments, type ReadArguments, type ToolCall } from './tool-call.js'

/** A call, its tool and the verdict on its arguments. */
export type ResolvedCall =
  { readonly tool: Tool; readonly checked: CheckedArguments } | { readonly tool?: never }

/** Turns calls into tools, checked arguments and modes. Reads the text of each call once. */
export interface CallClassifier {
  resolve(call: ToolCall): ResolvedCall
  /** Lets go of what was read of a call that will not be asked about again. */
  forget(call: ToolCall): void
  mode(call: ToolCall): ExecutionMode
}

const exclusive: ExecutionMode = { kind: 'exclusive' }

/** The tool is looked up at every question, because a commit may have changed what is visible. */
export function callClassifier(tools: VisibleTools): CallClassifier {
  const texts = new Map<ToolCall, ReadArguments>()

  function read(call: ToolCall): ReadArguments {
    const known = texts.get(call)
    if (known !== undefined) return known
    const read = readArguments(call.arguments)
    texts.set(call, read)
    return read
  }

  function resolve(call: ToolCall): ResolvedCall {
    const tool = tools.get(call.name)
    if (tool === undefined) return {}
    const { value, problems } = read(call)
    if (value === undefined) return { tool, checked: { violations: problems } }
    const checked = tool.check(value)
    if (problems.length === 0) return { tool, checked }
    const violations = checked.decided ? [] : (checked.violations ?? [])
    return { tool, checked: { violations: [...problems, ...violations] } }
  }

  function mode(call: ToolCall): ExecutionMode {
    const resolved = resolve(call)
    if (!resolved.tool || resolved.checked.violations) return exclusive
    const { tool, checked } = resolved
    try {
      if (!tool.isConcurrencySafe(checked.args)) return exclusive
      const key = tool.conflictKey(checked.args)
      return key === undefined ? { kind: 'parallel' } : { kind: 'parallel', key }
    } catch {
      return exclusive
    }
  }

  return { resolve, forget: call => void texts.delete(call), mode }
}
