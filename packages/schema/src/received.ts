import { shorten } from './path.js'

/** The property threw when it was read. */
export const unreadable = Symbol('unreadable')

/** What was found, in words, with at most 40 characters of it. Reads nothing of an object. */
export function describeReceived(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `string ${JSON.stringify(shorten(value, 40))}`
    case 'number':
      return Object.is(value, -0) ? 'number -0' : `number ${value}`
    case 'boolean':
      return `boolean ${value}`
    case 'bigint':
      return `bigint ${shorten(value.toString(), 40)}`
    case 'symbol':
      return value === unreadable ? 'a value that cannot be read (reading it threw)' : 'a symbol'
    case 'function':
      return 'a function'
    case 'undefined':
      return 'undefined'
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object'
  }
}
