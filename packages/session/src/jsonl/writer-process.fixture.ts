import { randomInt } from 'node:crypto'
import process from 'node:process'
import { HarnessError } from '@agent-spine/schema'
import type { OpenedSession, SessionLog } from '../store.js'
import { chunkEvent, dispatchEvent, header } from './sample-events.fixture.js'
import { jsonlStore } from './jsonl-store.js'

/**
 * A process that writes, for tests that kill it. It answers every command it is sent; `write` goes on, with one message
 * for each flush that resolved, until the process dies.
 */

export type Command =
  | { readonly name: 'create' | 'open' | 'force' | 'append' | 'close'; readonly directory: string }
  | { readonly name: 'write'; readonly directory: string }

/** What it answers: how many events are durable, or the code of the error. */
export type Answer = { readonly durable: number } | { readonly code: string }

let log: SessionLog | undefined
let next = 0

process.on('message', (command: Command) => {
  void run(command).then(answer, (error: unknown) => {
    answer({ code: HarnessError.is(error) ? error.code : String(error) })
  })
})

async function run({ name, directory }: Command): Promise<Answer> {
  const store = jsonlStore(directory)
  if (name === 'create') log = await store.create(header)
  if (name === 'open') use(await store.open('s'))
  if (name === 'force') use(await store.open('s', { force: true }))
  if (name === 'append') await append(1)
  if (name === 'close') await log?.close()
  if (name === 'write') for (;;) answer({ durable: await append(randomInt(1, 20)) })
  return { durable: next }
}

function use(opened: OpenedSession): void {
  log = opened.log
  next = opened.events.length
}

/** Appends events and waits until they are durable: chunks and others, one by one and in batches. */
async function append(count: number): Promise<number> {
  for (let index = 0; index < count; index++, next++) {
    const event = next % 3 === 0 ? dispatchEvent(next) : chunkEvent(next, 'tok ')
    if (next % 7 === 0) log?.append([event, dispatchEvent(++next)])
    else log?.append([event])
  }
  await log?.flush()
  return next
}

function answer(message: Answer): void {
  process.send?.(message)
}
