import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory that is gone after the test. */
export function temporaryDirectory(): string {
  const directory = newDirectory()
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'agent-spine-jsonl-'))
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

export function mutateFile(path: string, mutate: (bytes: Buffer) => Buffer | undefined): void {
  const bytes = readFileSync(path)
  writeFileSync(path, mutate(bytes) ?? bytes)
}
