import { type JsonValue, parseJson, snapshotJson, type UnsafeInteger } from '@agent-spine/schema'
import { describeThrown } from './thrown.js'

/** One tool invocation as the model asked for it. */
export interface ToolCall {
  readonly callId: string
  readonly name: string
  /** The raw text the model wrote, JSON or not. */
  readonly arguments: string
}

/**
 * The value of a call's raw argument text: `{}` for empty text, and the raw text itself where it is not JSON, so that
 * validation can say what is wrong with it. Nothing is repaired by guess. Never throws.
 */
export function parseArguments(raw: string): JsonValue {
  const { value = raw } = readArguments(raw)
  return value
}

/** What a call's raw argument text says, frozen, and what makes it unfit to act on. */
export type ReadArguments =
  | { readonly value: JsonValue; readonly problems: readonly string[] }
  /** Not a value at all. */
  | { readonly value?: never; readonly problems: readonly string[] }

const none: readonly string[] = Object.freeze([])

/** Reads the raw argument text of a call. Never throws. */
export function readArguments(raw: string): ReadArguments {
  if (raw === '') return { value: snapshotJson({}), problems: none }
  const parsed = parseJson(raw)
  if (!parsed.ok) return { problems: [`"arguments" must be an object (not valid JSON: ${parsed.message})`] }
  try {
    const problems =
      parsed.unsafeIntegers.length === 0 ? none : parsed.unsafeIntegers.map(unsafeIntegerProblem)
    return { value: snapshotJson(parsed.value), problems }
  } catch (error) {
    return { problems: [describeThrown(error).message] }
  }
}

function unsafeIntegerProblem({ path, text }: UnsafeInteger): string {
  const where = path.length === 0 ? 'arguments' : path.join('.').slice(0, 100)
  return `"${where}" would be rounded: ${text.slice(0, 40)} is beyond the integers that a JSON number keeps exactly`
}
