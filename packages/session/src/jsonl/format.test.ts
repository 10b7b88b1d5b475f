import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { awkwardEvents, chunkRun } from '../conformance-events.js'
import { jsonlStore } from '../jsonl.js'
import { isTornRecord, openRecord, sealHeader, sealMark, sealRecord } from './format.js'
import { temporaryDirectory } from './jsonl.fixture.js'
import { header } from './sample-events.fixture.js'

function span(text: string | Buffer) {
  const buffer = Buffer.from(text)
  return { buffer, start: 0, stop: buffer.length }
}

/** A good line with another body or seal: the checksum fits what the test wants it to fit. */
function sealed(body: string): string {
  return `${body},"crc":"${crc32(Buffer.from(body)).toString(16).padStart(8, '0')}"}`
}

describe('a line', () => {
  it('is what the documentation says, to the byte', () => {
    expect(sealHeader({ id: 's', createdAt: 5 })).toBe(
      '{"format":"agent-spine/session","version":1,"id":"s","createdAt":5,"crc":"8941762b"}\n',
    )
    expect(sealMark(17)).toBe(`${sealed('{"mark":1,"synced":17')}\n`)
    expect(sealRecord('{"a":"é\u2028😀"', -1)).toBe(`${sealed('{"a":"é\u2028😀","synced":-1')}\n`)
  })

  it('opens to its value, without what sealing added', () => {
    expect(openRecord(span(sealed('{"a":"é\u2028😀","synced":-1')))).toEqual({
      value: { a: 'é\u2028😀' },
      synced: -1,
    })
    expect(openRecord(span(sealed('{"a":1,"synced":"2"')))).toEqual({ value: { a: 1, synced: '2' } })
    expect(openRecord(span(sealed('{"synced":3,"a":1')))).toEqual({ value: { synced: 3, a: 1 } })
  })

  it('is found within a larger buffer, which stays as it was', () => {
    const line = sealed('{"a":1,"synced":2')
    const buffer = Buffer.from(`xx${line}\nyy`)
    const before = Buffer.from(buffer)
    expect(openRecord({ buffer, start: 2, stop: buffer.length - 3 })).toEqual({ value: { a: 1 }, synced: 2 })
    expect(buffer.equals(before)).toBe(true)
  })

  it.each([
    ['nothing', '', 'an empty line'],
    ['too little', '"crc":"00000000"}', 'a line that is too short for a record'],
    ['only a seal', ',"crc":"00000000"}', 'a line that is too short for a record'],
    ['NUL bytes', Buffer.alloc(40), 'NUL bytes'],
    ['upper-case digits', sealed('{"a":1,"synced":12').toUpperCase(), 'a checksum that does not match'],
    ['another bracket', sealed('{"a":1,"synced":2').replace(/\}$/, ']'), 'a checksum that does not match'],
    ['no quote', sealed('{"a":1,"synced":2').replace(/"\}$/, '}}'), 'a checksum that does not match'],
    ['what is no JSON', sealed('{"a":,"synced":2'), 'a line that is no JSON object'],
    ['an array', sealed('[1,"synced":2'), 'a line that is no JSON object'],
  ])('is refused: %s', (_, line, found) => {
    expect(openRecord(span(line))).toBe(found)
  })

  it('whose checksum begins with zeroes has all eight digits', () => {
    const number = Array.from({ length: 10_000 }, (_, index) => index).find(
      index => crc32(`{"a":${index},"synced":0`) < 0x1000000,
    )
    if (number === undefined) throw new Error('no small checksum')
    const line = sealRecord(`{"a":${number}`, 0).trimEnd()
    expect(line).toMatch(/"crc":"00[0-9a-f]{6}"\}$/)
    expect(openRecord(span(line))).toEqual({ value: { a: number }, synced: 0 })
  })
})

describe('the beginning of a record', () => {
  it.each([
    ['a brace', '{', true],
    ['a record that is not whole', '{"seq":1,"ti', true],
    ['a record whose text looks sealed', '{"a":{"b":1,"crc":"00000000"},"c', true],
    ['a whole record and more', `${sealed('{"a":1,"synced":2')}x`, false],
    ['another beginning', '[', false],
    ['a control character', '{"a":"\u0001', false],
    ['NUL bytes', '{"a\u0000\u0000', false],
  ])('%s: %s', (_, text, torn) => {
    expect(isTornRecord(span(text))).toBe(torn)
  })
})

describe('the Python recipe of the README', () => {
  const python = spawnSync('python3', ['--version']).status === 0
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const recipe = /```python\n(.*?)```/s.exec(readme)?.[1]

  it.skipIf(!python)('reads every event as it was (skipped where there is no python3)', async () => {
    const directory = temporaryDirectory()
    const log = await jsonlStore(directory).create(header)
    const events = [...awkwardEvents(), ...chunkRun(awkwardEvents().length, 40)]
    log.append(awkwardEvents())
    for (const event of events.slice(awkwardEvents().length)) log.append([event])
    await log.close()
    writeFileSync(join(directory, 'read.py'), recipe ?? '')
    const output = execFileSync('python3', [join(directory, 'read.py'), join(directory, 's.jsonl')], {
      encoding: 'utf8',
    })
    const lines = output.trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line) as unknown)).toEqual(events)
  })
})
