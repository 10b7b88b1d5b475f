import { machineFiles, type FileLayer } from './file-layer.js'

/** A way for an operation to fail. */
export interface Fault {
  /** An errno, or `SHORT` for a write that says how little it wrote. */
  readonly code: string
  /** How many bytes a failing write writes. */
  readonly bytes?: number
}

export type Operation =
  'write' | 'truncate' | 'sync' | 'link' | 'rename' | 'open' | 'remove' | 'syncDirectory'

/** Decides about each operation that changes something; `bytes` is the length of a write, else 0. */
export type Plan = (operation: Operation, bytes: number) => Fault | undefined

/** The machine's files, with faults. What fails has no effect, but for the bytes a fault lets through. */
export function faultyFiles(plan: Plan): FileLayer {
  function attempt(operation: Operation): void {
    const fault = plan(operation, 0)
    if (fault) throw failure(operation, fault)
  }
  return {
    ...machineFiles,
    write: (file, bytes) => {
      const fault = plan('write', bytes.length)
      if (!fault) return machineFiles.write(file, bytes)
      const part = bytes.subarray(0, fault.bytes ?? 0)
      const written = part.length > 0 ? machineFiles.write(file, part) : 0
      if (fault.code === 'SHORT') return written
      throw failure('write', fault)
    },
    truncate: (file, size) => {
      attempt('truncate')
      machineFiles.truncate(file, size)
    },
    sync: async file => {
      attempt('sync')
      await machineFiles.sync(file)
    },
    syncDirectory: async path => {
      attempt('syncDirectory')
      await machineFiles.syncDirectory(path)
    },
    link: (path, name) => {
      attempt('link')
      return machineFiles.link(path, name)
    },
    rename: (path, name) => {
      attempt('rename')
      machineFiles.rename(path, name)
    },
    remove: path => {
      attempt('remove')
      machineFiles.remove(path)
    },
    open: (path, use) => {
      if (use !== 'read') attempt('open')
      return machineFiles.open(path, use)
    },
  }
}

/**
 * A plan that kills the process, as far as files can tell, at moment `moment`: before any operation, and within a write
 * after none, one, half or all but one of its bytes.
 */
export function deathAt(moment: number): { readonly plan: Plan; readonly died: () => boolean } {
  let left = moment
  return {
    plan: (_, length) => {
      const moments = length > 0 ? [0, 1, length >> 1, length - 1] : [0]
      const bytes = moments[left]
      left = bytes === undefined && left >= 0 ? left - moments.length : -1
      return left < 0 ? { code: 'EDEAD', bytes: bytes ?? 0 } : undefined
    },
    died: () => left < 0,
  }
}

function failure(operation: Operation, { code }: Fault): Error {
  return Object.assign(new Error(`${code}: injected, ${operation}`), { code })
}
