import { isWellFormed } from './plain.js'

/** Where a container is, linked to its parent; `null` is the root. Becomes text only when somebody reads it. */
export interface Path {
  readonly parent: Path | null
  readonly key: string | number
  readonly depth: number
}

/** The deepest part of a path that is printed; deeper paths are shortened at their start. */
const maxPrintedSegments = 50

/** `path` extended by `key`, or `path` itself where there is no key. */
export function childPath(path: Path | null, key: string | number | undefined): Path | null {
  return key === undefined ? path : { parent: path, key, depth: path === null ? 1 : path.depth + 1 }
}

/** The keys from the root to `path`. */
export function pathKeys(path: Path | null): (string | number)[] {
  const keys: (string | number)[] = []
  for (let at = path; at !== null; at = at.parent) keys.push(at.key)
  return keys.reverse()
}

/** The keys as a JSON Pointer. */
export function jsonPointer(keys: readonly (string | number)[]): string {
  return keys.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** `path` as text: `limit`, `value.limit`, `items[3].name`; the root without a prefix is `arguments`. */
export function printPath(prefix: string, path: Path | null): string {
  const segments: string[] = []
  let at = path
  while (at !== null && segments.length < maxPrintedSegments) {
    segments.push(printKey(at.key))
    at = at.parent
  }
  const start = at === null ? prefix : `${prefix}…(${at.depth} levels)`
  const text = start + segments.reverse().join('')
  if (text === '') return 'arguments'
  return text.startsWith('.') ? text.slice(1) : text
}

function printKey(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`
  const short = shorten(key, 60)
  return /^[^.[\]"'\s\p{C}]+$/u.test(short) ? `.${short}` : `[${JSON.stringify(short)}]`
}

/** The first `length` characters of `text`, with `…` when there are more; never half a surrogate pair. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  return `${isWellFormed(cut) ? cut : cut.slice(0, -1)}…`
}
