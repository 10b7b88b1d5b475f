import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'

interface Row {
  readonly id: number
  readonly parent: number
  /** Starts with `Z` for a process that has ended and was not waited for. */
  readonly state: string
  readonly command: string
}

/** The processes that this one started and that still run, by id, with their command lines. */
export function childProcesses(): ReadonlyMap<number, string> {
  // Machines without `ps` have `/proc`, and the other way round.
  const rows = existsSync('/proc/self/stat') ? rowsOfProc() : rowsOfPs()
  const children = rows.filter(({ parent, state }) => parent === process.pid && !state.startsWith('Z'))
  return new Map(children.map(({ id, command }) => [id, command]))
}

function rowsOfProc(): Row[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        // The name in parentheses may hold anything.
        const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return [{ id: Number(name), parent: Number(parent), state, command }]
      } catch {
        // It ended while we looked.
        return []
      }
    })
}

function rowsOfPs(): Row[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map(row => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row))
    .filter(row => row !== null)
    .map(([, id, parent, state = '', command = '']) => ({
      id: Number(id),
      parent: Number(parent),
      state,
      command,
    }))
    .filter(({ command }) => !command.startsWith('ps '))
}

/** The one child whose command line contains `words`. */
export function childWith(words: string): number {
  const [first, ...others] = [...childProcesses()].filter(([, command]) => command.includes(words))
  if (first === undefined || others.length > 0) throw new Error(`expected exactly one child with "${words}"`)
  return first[0]
}
