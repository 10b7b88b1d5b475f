import { HarnessError } from '@agent-spine/schema'

/** What can be told of a thrown value. */
export interface ThrownFacts {
  readonly name: string
  readonly message: string
  /** Of a `HarnessError` only. */
  readonly code?: string
}

const maxCauses = 4
const maxNameLength = 100

/** Reads any thrown value, however hostile. Never throws. */
export function describeThrown(thrown: unknown): ThrownFacts {
  const name = readText(thrown, 'name').slice(0, maxNameLength) || 'Error'
  const code = HarnessError.is(thrown) ? readText(thrown, 'code') : ''
  return { name, message: causeChain(thrown), ...(code !== '' && { code }) }
}

/** Whether `thrown` says that work stopped because a signal aborted with `reason`. Never throws. */
export function isAbortOf(thrown: unknown, reason: unknown): boolean {
  return thrown === reason || readText(thrown, 'name') === 'AbortError'
}

function causeChain(thrown: unknown): string {
  const messages: string[] = []
  let current = thrown
  for (let depth = 0; depth <= maxCauses && (depth === 0 || isObject(current)); depth++) {
    messages.push(messageOf(current))
    current = read(current, 'cause')
  }
  return messages.join(': ')
}

function messageOf(thrown: unknown): string {
  if (!isObject(thrown)) return primitiveText(thrown)
  return readText(thrown, 'message') || readText(thrown, 'name') || 'an object without a message was thrown'
}

function primitiveText(thrown: unknown): string {
  return String(thrown).trim() === '' ? 'an empty string was thrown' : String(thrown)
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

function readText(value: unknown, key: string): string {
  const text = read(value, key)
  return typeof text === 'string' ? text : ''
}

/** Getters and proxies may throw. */
function read(value: unknown, key: string): unknown {
  try {
    return isObject(value) ? (value as Record<string, unknown>)[key] : undefined
  } catch {
    return undefined
  }
}
