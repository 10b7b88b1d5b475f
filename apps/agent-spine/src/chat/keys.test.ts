import { emitKeypressEvents } from 'node:readline'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { createKeyReader, type Key, type RawKey } from './keys.js'

/** What a person means by the bytes that a terminal sends. */
function keysOf(...pieces: readonly string[]): readonly Key[] {
  const stream = new PassThrough()
  const read = createKeyReader()
  const found: Key[] = []
  emitKeypressEvents(stream)
  stream.on('keypress', (text: string | undefined, raw: RawKey) => {
    const key = read(text, raw)
    if (key !== undefined) found.push(key)
  })
  for (const piece of pieces) stream.emit('data', Buffer.from(piece))
  return found
}

const insert = (text: string): Key => ({ kind: 'edit', edit: { kind: 'insert', text } })

it('a paste is one insertion: it sends nothing, and its keys are none', () => {
  const pasted = 'one\r\ntwo\rthree\u0003\u0004\tfour'
  expect(keysOf(`\u001b[200~${pasted.slice(0, 6)}`, `${pasted.slice(6)}\u001b[201~`, '\r')).toEqual([
    insert(pasted),
    { kind: 'send' },
  ])
})

it.each<[string, string, Key['kind']]>([
  ['Enter', '\r', 'send'],
  ['Alt-Enter', '\u001b\r', 'steer'],
  ['Ctrl-C', '\u0003', 'interrupt'],
  ['Ctrl-D', '\u0004', 'end'],
  ['Ctrl-Z', '\u001a', 'suspend'],
  ['Ctrl-L', '\u000c', 'redraw'],
])('%s', (_name, bytes, kind) => {
  expect(keysOf(bytes)).toEqual([{ kind }])
})

it('inserts characters of every width, also where their bytes come apart', () => {
  expect(keysOf('ü世👍')).toEqual([insert('ü'), insert('世'), insert('👍')])
})

it('ignores keys that mean nothing here', () => {
  expect(keysOf('\u001b[15~', '\u001b[I', '\u0007', '\u001bx', '\u001c')).toEqual([])
})
