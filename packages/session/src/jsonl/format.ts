import { crc32 } from 'node:zlib'
import { HarnessError, type JsonObject } from '@agent-spine/schema'
import type { SessionHeader } from '../store.js'

/**
 * Turns record bodies into lines of a log file, and lines back into records.
 *
 * F1 A line is one JSON object and the byte 0x0A. JSON escapes control characters, so 0x0A occurs nowhere else.
 * F2 Its last member is `crc`: CRC-32, eight lower-case hex digits, of every byte before `,"crc"`.
 * F3 The member before that is `synced`, the greatest seq that was fsynced when the line was made (-1: none). Only the
 *    header has none.
 */

/** A part of a buffer. */
export interface Span {
  readonly buffer: Buffer
  readonly start: number
  readonly stop: number
}

/** A record that passed its check: its value without `synced` and `crc`. */
export interface OpenedRecord {
  readonly value: JsonObject
  readonly synced?: number
}

const formatName = 'agent-spine/session'
const formatVersion = 1
const crcLabel = ',"crc":"'
const crcLabelBytes = Buffer.from(crcLabel)
const crcDigits = 8
const sealBytes = crcLabel.length + crcDigits + 2
const syncedLabelBytes = Buffer.from(',"synced":')
const quote = 0x22
const closingBrace = 0x7d

/** Makes a line of `body`, the text of a JSON object without its closing brace. */
export function sealRecord(body: string, synced: number): string {
  return seal(`${body},"synced":${synced}`)
}

/** The line that opens a log. */
export function sealHeader(header: SessionHeader): string {
  const fields = { format: formatName, version: formatVersion, id: header.id, createdAt: header.createdAt }
  return seal(JSON.stringify(fields).slice(0, -1))
}

/** The line that a clean close leaves. */
export function sealMark(synced: number): string {
  return sealRecord('{"mark":1', synced)
}

/** Reads a line without its newline. Returns what is wrong when it is not a whole record. */
export function openRecord({ buffer, start, stop }: Span): OpenedRecord | string {
  const end = stop - sealBytes
  if (end <= start) return stop === start ? 'an empty line' : 'a line that is too short for a record'
  if (readCrc(buffer, end) !== crc32(buffer.subarray(start, end))) {
    return buffer.subarray(start, stop).includes(0) ? 'NUL bytes' : 'a checksum that does not match'
  }
  const digits = firstDigit(buffer, end)
  const bodyEnd = digits - syncedLabelBytes.length
  const synced =
    digits < end && bodyEnd > start && holds(buffer, bodyEnd, syncedLabelBytes)
      ? readInteger(buffer, digits, end)
      : undefined
  const value = parseObject(buffer, start, synced === undefined ? end : bodyEnd)
  if (value === undefined) return 'a line that is no JSON object'
  return synced === undefined ? { value } : { value, synced }
}

/** Reads the header of session `id`. Returns what is wrong when it is not one; throws when a newer version wrote it. */
export function openHeader(record: OpenedRecord, id: string): SessionHeader | string {
  const { value } = record
  if (value['format'] !== formatName) return `a first line that is no ${formatName} header`
  if (value['version'] !== formatVersion) {
    throw new HarnessError(
      'UNSUPPORTED_FORMAT',
      `session "${id}" has format version ${JSON.stringify(value['version'])}, this package reads version ${formatVersion}: upgrade it`,
    )
  }
  if (value['id'] !== id) return `the header of session ${JSON.stringify(value['id'])}`
  if (typeof value['createdAt'] !== 'number') return 'a header without createdAt'
  return { id, createdAt: value['createdAt'] }
}

/** Whether the span, found at the end of a file without a newline, can be nothing but the beginning of a record. */
export function isTornRecord({ buffer, start, stop }: Span): boolean {
  const bytes = buffer.subarray(start, stop)
  if (bytes.some(byte => byte < 0x20)) return false
  if (!'{"'.startsWith(bytes.toString('latin1', 0, 2))) return false
  const label = bytes.lastIndexOf(crcLabel)
  const record = { buffer: bytes, start: 0, stop: Math.min(label + sealBytes, bytes.length) }
  return label < 0 || typeof openRecord(record) === 'string'
}

function seal(body: string): string {
  return `${body}${crcLabel}${crc32(body).toString(16).padStart(crcDigits, '0')}"}\n`
}

/** The checksum that a seal at `position` states, or -1 when there is no seal. No strings: this runs for every line. */
function readCrc(buffer: Buffer, position: number): number {
  if (!holds(buffer, position, crcLabelBytes)) return -1
  let crc = 0
  let at = position + crcLabel.length
  for (const last = at + crcDigits; at < last; at++) {
    const digit = hexDigit(buffer[at] ?? 0)
    if (digit < 0) return -1
    crc = crc * 16 + digit
  }
  return buffer[at] === quote && buffer[at + 1] === closingBrace ? crc : -1
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1
}

function holds(buffer: Buffer, position: number, bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) if (buffer[position + at] !== bytes[at]) return false
  return true
}

/** Where the number that ends at `end` begins. */
function firstDigit(buffer: Buffer, end: number): number {
  let at = end
  while (hexDigit(buffer[at - 1] ?? 0) >= 0 && hexDigit(buffer[at - 1] ?? 0) <= 9) at--
  return at < end && buffer[at - 1] === 0x2d ? at - 1 : at
}

/** The number written in a span that {@link firstDigit} found. No strings here, either. */
function readInteger(buffer: Buffer, start: number, end: number): number {
  const negative = buffer[start] === 0x2d
  let number = 0
  for (let at = negative ? start + 1 : start; at < end; at++) number = number * 10 + hexDigit(buffer[at] ?? 0)
  return negative ? -number : number
}

/** Parses the object whose members end at `end`, by closing it there for as long as that takes: no copy of a large line. */
function parseObject(buffer: Buffer, start: number, end: number): JsonObject | undefined {
  const byte = buffer[end] ?? 0
  buffer[end] = closingBrace
  try {
    const value: unknown = JSON.parse(buffer.toString('utf8', start, end + 1))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined
  } catch {
    return undefined
  } finally {
    buffer[end] = byte
  }
}
