import { posix } from 'node:path'

/** One spelling per directory: `./A/` and `A` are the same. */
export function directoryName(path: string): string {
  const normal = posix.normalize(path)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}
