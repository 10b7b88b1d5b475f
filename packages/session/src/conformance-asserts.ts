import { HarnessError, type JsonValue } from '@agent-spine/schema'

/** The few assertions the conformance suite needs, so that it runs under any framework. */

/** Compares as JSON values, key order included: it is part of the bytes a provider's cache is keyed by. */
export function assertEqual(found: unknown, expected: unknown, what: string): void {
  const difference = firstDifference(found as JsonValue, expected as JsonValue)
  if (difference !== undefined) throw new Error(`${what}${difference}`)
}

export async function assertRejects(run: () => Promise<unknown>, code: string): Promise<void> {
  const error = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (HarnessError.is(error) && error.code === code) return
  throw new Error(`expected a HarnessError with code ${code}, found ${describe(error)}`, { cause: error })
}

export function assertThrows(run: () => void): void {
  let thrown: unknown
  try {
    run()
  } catch (error) {
    thrown = error
  }
  if (!HarnessError.is(thrown))
    throw new Error(`expected a HarnessError, found ${describe(thrown)}`, { cause: thrown })
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

function firstDifference(found: JsonValue | undefined, expected: JsonValue | undefined): string | undefined {
  if (typeof found !== 'object' || typeof expected !== 'object' || found === null || expected === null) {
    return Object.is(found, expected)
      ? undefined
      : `: expected ${describe(expected)}, found ${describe(found)}`
  }
  if (Array.isArray(found) !== Array.isArray(expected)) return ': expected an array on both sides or on none'
  const foundKeys = Object.keys(found)
  const expectedKeys = Object.keys(expected)
  if (foundKeys.join('\n') !== expectedKeys.join('\n')) {
    return `: expected keys ${clip(expectedKeys.join())}, found ${clip(foundKeys.join())}`
  }
  for (const key of expectedKeys) {
    const difference = firstDifference(
      (found as Readonly<Record<string, JsonValue>>)[key],
      (expected as Readonly<Record<string, JsonValue>>)[key],
    )
    if (difference !== undefined) return `.${key}${difference}`
  }
  return undefined
}

function describe(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`
  return clip(value === undefined ? 'nothing' : JSON.stringify(value))
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
