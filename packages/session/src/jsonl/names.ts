/**
 * Every file name of a session `id` in its directory:
 *
 *     <id>.jsonl          the log
 *     <id>~<g>.jsonl      the log after a forced takeover under lease g; the highest g counts
 *     <id>.lock-<g>       lease g
 *     <id>.torn-<n>       what recovery cut off
 *     <id>.lost-tail      a cut that no writer has recorded in the log yet
 *     .sock-…, .tmp-…     the socket of a lease, a file not yet complete
 *
 * An id has neither `~` nor a leading dot, so no name of one session can be a name of another.
 */

/** The name of a log. */
export function logName(id: string, generation = 0): string {
  return generation === 0 ? `${id}.jsonl` : `${id}~${generation}.jsonl`
}

/** What a log's file name says, or nothing when it is not one. */
export function parseLogName(name: string): { id: string; generation: number } | undefined {
  const match = /^([A-Za-z0-9_-][A-Za-z0-9._-]{0,127})(?:~([1-9]\d*))?\.jsonl$/.exec(name)
  const id = match?.[1]
  return id === undefined ? undefined : { id, generation: Number(match?.[2] ?? 0) }
}

/** For each session among `names`, the log that counts. */
export function currentLogs(names: readonly string[]): Map<string, string> {
  const generations = new Map<string, number>()
  for (const name of names) {
    const log = parseLogName(name)
    if (log && log.generation >= (generations.get(log.id) ?? 0)) generations.set(log.id, log.generation)
  }
  return new Map([...generations].map(([id, generation]) => [id, logName(id, generation)]))
}

export const lockName = (id: string, generation: number) => `${id}.lock-${generation}`
export const tornName = (id: string, count: number) => `${id}.torn-${count}`
export const lostTailName = (id: string) => `${id}.lost-tail`

/** The numbers of all `names` that are `prefix` and a number, ascending. */
export function numbersAfter(names: readonly string[], prefix: string): number[] {
  return names
    .filter(name => name.startsWith(prefix))
    .map(name => name.slice(prefix.length))
    .filter(rest => /^[1-9]\d{0,14}$/.test(rest))
    .map(Number)
    .sort((left, right) => left - right)
}
