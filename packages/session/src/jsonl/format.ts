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

/** A record that passed its check: its value without `synced` and `crc`. */
export interface OpenedRecord {
  readonly value: JsonObject
  readonly synced?: number
}

const formatName = 'agent-spine/session'
const formatVersion = 1
const crcLabel = ',"crc":"'
const sealBytes = crcLabel.length + 8 + 2
const syncedLabel = Buffer.from(',"synced":')
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
export function openRecord(line: Buffer): OpenedRecord | string {
  const end = line.length - sealBytes
  if (end < 1) return line.length === 0 ? 'an empty line' : 'a line that is too short for a record'
  if (line.toString('latin1', end) !== sealOf(crc32(line.subarray(0, end)))) {
    return line.includes(0) ? 'NUL bytes' : 'a checksum that does not match'
  }
  const synced = readSynced(line, end)
  const value = parseObject(line, synced?.start ?? end)
  if (value === undefined) return 'a line that is no JSON object'
  return synced ? { value, synced: synced.seq } : { value }
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

/** Whether the bytes, found at the end of a file without a newline, can be nothing but the beginning of a record. */
export function isTornRecord(bytes: Buffer): boolean {
  if (bytes.some(byte => byte < 0x20)) return false
  if (!'{"'.startsWith(bytes.toString('latin1', 0, 2))) return false
  const label = bytes.lastIndexOf(crcLabel)
  return label < 0 || typeof openRecord(bytes.subarray(0, label + sealBytes)) === 'string'
}

function seal(body: string): string {
  return `${body}${sealOf(crc32(body))}\n`
}

function sealOf(crc: number): string {
  return `${crcLabel}${crc.toString(16).padStart(8, '0')}"}`
}

function readSynced(line: Buffer, end: number): { start: number; seq: number } | undefined {
  let digits = end
  while (digits > 0 && isDigit(line[digits - 1])) digits--
  const minus = digits > 0 && line[digits - 1] === 0x2d ? digits - 1 : digits
  const start = minus - syncedLabel.length
  if (digits === end || start < 1) return undefined
  if (syncedLabel.compare(line, start, minus) !== 0) return undefined
  return { start, seq: Number(line.toString('latin1', minus, end)) }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/** Parses the object whose members end at `end`, by closing it there for as long as that takes: no copy of a large line. */
function parseObject(line: Buffer, end: number): JsonObject | undefined {
  const byte = line[end]
  if (byte === undefined) return undefined
  line[end] = closingBrace
  try {
    const value: unknown = JSON.parse(line.toString('utf8', 0, end + 1))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined
  } catch {
    return undefined
  } finally {
    line[end] = byte
  }
}
