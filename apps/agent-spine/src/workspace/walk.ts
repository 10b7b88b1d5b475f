import { opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** One entry below a directory, depth first and sorted by name. */
export interface WorkspaceEntry {
  /** Relative to where the walk began, with forward slashes. */
  readonly path: string
  readonly kind: 'directory' | 'file' | 'link' | 'other'
}

const skipped = new Set(['node_modules', '.git', '.agent-spine'])

/** Walks a directory without following links. Skips `node_modules`, `.git` and the command's own folder. */
export async function* walk(
  directory: string,
  depth = Infinity,
  prefix = '',
): AsyncGenerator<WorkspaceEntry> {
  const entries = []
  for await (const entry of await opendir(directory)) entries.push(entry)
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of entries) {
    if (skipped.has(entry.name)) continue
    const path = prefix + entry.name
    if (entry.isDirectory()) {
      yield { path, kind: 'directory' }
      if (depth > 1) yield* walk(join(directory, entry.name), depth - 1, `${path}/`)
    } else {
      yield { path, kind: entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other' }
    }
  }
}
