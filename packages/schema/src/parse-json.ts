import { type JsonValue } from './json.js'
import { childPath, type Path, pathKeys } from './path.js'
import { setOwn } from './snapshot-json.js'

/*
 * Turns JSON text into a value, and says what JSON.parse would do in silence.
 *
 * Invariants:
 * 1. Whatever JSON.parse accepts is accepted with the same value, except that `-0` becomes `0` and a number beyond the
 *    range of a double is an error; whatever JSON.parse refuses is refused. Of duplicate keys the last one wins.
 * 2. An integer literal beyond 2^53 - 1 is listed: its digits are lost in the value.
 * 3. No recursion in any engine; the native parser is used only for texts in which rule 2 and `-0` cannot occur.
 * 4. Messages do not depend on the engine.
 */

/** An integer literal whose value a double cannot be trusted to hold. */
export interface UnsafeInteger {
  /** Property names and array indices from the root. */
  readonly path: readonly (string | number)[]
  /** The digits as they were written. */
  readonly text: string
}

/** What {@link parseJson} answers. */
export type JsonParseResult =
  | {
      readonly ok: true
      readonly value: JsonValue
      /** Integer literals beyond 2^53 - 1, in text order: `value` holds them rounded. */
      readonly unsafeIntegers: readonly UnsafeInteger[]
    }
  | {
      readonly ok: false
      /** What was expected and what was found, with line and column. */
      readonly message: string
      /** Where, in UTF-16 code units from the start. */
      readonly offset: number
    }

type Container = JsonValue[] | Record<string, JsonValue>

interface OpenContainer {
  readonly container: Container
  readonly path: Path | null
  key: string | number
}

interface Cursor {
  readonly text: string
  offset: number
  readonly stack: OpenContainer[]
  readonly unsafeIntegers: UnsafeInteger[]
}

class SyntaxProblem extends Error {
  constructor(
    readonly expected: string,
    readonly offset: number,
  ) {
    super(expected)
  }
}

const needsCare = /\d{16}|(?:^|[\s,:[])-0|\d[eE][+-]?\d{3}/

/** Parses JSON text. Never throws; never recurses. */
export function parseJson(text: string): JsonParseResult {
  if (!needsCare.test(text)) {
    try {
      return { ok: true, value: JSON.parse(text) as JsonValue, unsafeIntegers: [] }
    } catch {
      // Parsed again below, for a message that is the same in every engine.
    }
  }
  const cursor: Cursor = { text, offset: 0, stack: [], unsafeIntegers: [] }
  try {
    return { ok: true, value: readDocument(cursor), unsafeIntegers: cursor.unsafeIntegers }
  } catch (problem) {
    if (!(problem instanceof SyntaxProblem)) throw problem
    return { ok: false, message: explain(text, problem), offset: problem.offset }
  }
}

function readDocument(cursor: Cursor): JsonValue {
  const { stack } = cursor
  let value = readValueOrOpen(cursor)
  for (;;) {
    // `undefined` says that a container was opened and its first item is next.
    if (value !== undefined) {
      const parent = stack.at(-1)
      if (parent === undefined) break
      setOwn(parent.container, parent.key, value)
      if (endsItem(cursor, parent)) {
        stack.pop()
        value = parent.container
        continue
      }
    }
    value = readValueOrOpen(cursor)
  }
  skipSpace(cursor)
  if (cursor.offset < cursor.text.length) throw new SyntaxProblem('the end of the text', cursor.offset)
  return value
}

/** Reads a scalar or an empty container whole; of any other container only the start, and pushes it. */
function readValueOrOpen(cursor: Cursor): JsonValue | undefined {
  skipSpace(cursor)
  const { text, offset } = cursor
  switch (text[offset]) {
    case '{':
      return open(cursor, {})
    case '[':
      return open(cursor, [])
    case '"':
      return readString(cursor)
    case 't':
      return readWord(cursor, 'true', true)
    case 'f':
      return readWord(cursor, 'false', false)
    case 'n':
      return readWord(cursor, 'null', null)
    default:
      return readNumber(cursor)
  }
}

function open(cursor: Cursor, container: Container): JsonValue | undefined {
  cursor.offset += 1
  skipSpace(cursor)
  const isArray = Array.isArray(container)
  if (cursor.text[cursor.offset] === (isArray ? ']' : '}')) {
    cursor.offset += 1
    return container
  }
  const key = isArray ? 0 : readKey(cursor)
  cursor.stack.push({ container, path: currentPath(cursor), key })
  return undefined
}

/** The path of the value that is read next. */
function currentPath({ stack }: Cursor): Path | null {
  const parent = stack.at(-1)
  return parent === undefined ? null : childPath(parent.path, parent.key)
}

/** Whether the container ends after the item just read; if not, moves on to its next key. */
function endsItem(cursor: Cursor, parent: OpenContainer): boolean {
  skipSpace(cursor)
  const mark = cursor.text[cursor.offset]
  const end = typeof parent.key === 'number' ? ']' : '}'
  if (mark !== ',' && mark !== end) throw new SyntaxProblem(`"," or "${end}"`, cursor.offset)
  cursor.offset += 1
  if (mark === end) return true
  if (typeof parent.key === 'number') parent.key += 1
  else parent.key = readKey(cursor)
  return false
}

function readKey(cursor: Cursor): string {
  skipSpace(cursor)
  if (cursor.text[cursor.offset] !== '"')
    throw new SyntaxProblem('a property name in double quotes', cursor.offset)
  const key = readString(cursor)
  skipSpace(cursor)
  if (cursor.text[cursor.offset] !== ':') throw new SyntaxProblem('":"', cursor.offset)
  cursor.offset += 1
  return key
}

function readString(cursor: Cursor): string {
  const { text, offset } = cursor
  let end = text.indexOf('"', offset + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  if (end === -1) throw new SyntaxProblem('a closing double quote', text.length)
  cursor.offset = end + 1
  try {
    return JSON.parse(text.slice(offset, end + 1)) as string
  } catch {
    throw new SyntaxProblem('a string without raw control characters or unknown escapes', offset)
  }
}

function isEscaped(text: string, quote: number): boolean {
  let start = quote
  while (text[start - 1] === '\\') start -= 1
  return (quote - start) % 2 === 1
}

function readWord(cursor: Cursor, word: string, value: JsonValue): JsonValue {
  if (!cursor.text.startsWith(word, cursor.offset)) throw new SyntaxProblem('a JSON value', cursor.offset)
  cursor.offset += word.length
  return value
}

function readNumber(cursor: Cursor): number {
  const pattern = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
  pattern.lastIndex = cursor.offset
  const match = pattern.exec(cursor.text)
  if (match === null) throw new SyntaxProblem('a JSON value', cursor.offset)
  const [text, fraction, exponent] = match
  const value = Number(text)
  if (!Number.isFinite(value)) throw new SyntaxProblem('a number in the range of a double', cursor.offset)
  if (fraction === undefined && exponent === undefined && !Number.isSafeInteger(value)) {
    const path = currentPath(cursor)
    const unsafe = {
      text,
      get path() {
        return pathKeys(path)
      },
    }
    cursor.unsafeIntegers.push(unsafe)
  }
  cursor.offset += text.length
  return value === 0 ? 0 : value
}

function skipSpace(cursor: Cursor): void {
  while (' \t\n\r'.includes(cursor.text[cursor.offset] ?? 'x')) cursor.offset += 1
}

function explain(text: string, { expected, offset }: SyntaxProblem): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  const column = offset - before.lastIndexOf('\n')
  const rest = text.slice(offset, offset + 20)
  const found = rest === '' ? 'the end of the text' : JSON.stringify(rest)
  return `expected ${expected}, found ${found} at line ${line}, column ${column}${adviceFor(text, offset)}`
}

/** What to do about the mistakes that models make most. */
function adviceFor(text: string, offset: number): string {
  if (text.trimStart().startsWith('```')) return '; send the JSON alone, without a code fence'
  if (text !== '' && offset === text.length) return '; the text ends too early: send it whole'
  const mark = text[offset]
  const isAfterComma = text.slice(0, offset).trimEnd().endsWith(',')
  return isAfterComma && (mark === '}' || mark === ']') ? `; remove the comma before "${mark}"` : ''
}
