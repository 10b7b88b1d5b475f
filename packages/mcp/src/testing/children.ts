import { execFileSync } from 'node:child_process'
import process from 'node:process'

/** The processes that this one started and that still run, by id, with their command lines. */
export function childProcesses(): ReadonlyMap<number, string> {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
  const rows = table.split('\n').map(row => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row))
  return new Map(
    rows
      .filter(row => row !== null)
      .filter(
        ([, , parent, state, command]) =>
          Number(parent) === process.pid && !state?.startsWith('Z') && !command?.startsWith('ps '),
      )
      .map(([, id, , , command = '']) => [Number(id), command]),
  )
}

/** The one child whose command line contains `words`. */
export function childWith(words: string): number {
  const found = [...childProcesses()].filter(([, command]) => command.includes(words))
  if (found.length !== 1) throw new Error(`expected one child with "${words}", found ${found.length}`)
  return found[0]?.[0] ?? 0
}
