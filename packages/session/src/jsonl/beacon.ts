import { closeSync, openSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { platform } from 'node:process'
import { HarnessError } from '@agent-spine/schema'
import { errorCode } from './file-layer.js'

/**
 * Shows other processes that this one lives: a socket file that the kernel answers for, even while the process is
 * paused or busy, and stops answering for when it dies.
 */
export interface Beacon {
  extinguish(): Promise<void>
}

/** Listens on the socket file `name` in `directory`. */
export async function lightBeacon(directory: string, name: string): Promise<Beacon> {
  const address = reach(directory, name)
  const server = createServer(connection => connection.destroy())
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      // Without `exclusive`, the primary of a cluster would listen, and outlive the worker that holds the lease.
      server.listen({ path: address.path, exclusive: true }, resolve)
    })
  } catch (error) {
    address.release()
    throw error
  }
  // A connection that could not be accepted has had its answer from the kernel already.
  server.on('error', () => undefined)
  server.unref()
  return { extinguish: () => close(server).then(address.release) }
}

/** Whether the process behind a socket file may be alive: anything but a clear no is a yes. */
export async function isLit(directory: string, name: string): Promise<boolean> {
  const address = reach(directory, name)
  try {
    return await new Promise(resolve => {
      const socket = connect(address.path)
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', error => {
        const code = errorCode(error)
        resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT')
      })
    })
  } finally {
    address.release()
  }
}

interface Address {
  readonly path: string
  readonly release: () => void
}

/** The kernel takes 108 bytes of socket path on Linux, 104 elsewhere, with a NUL at the end. */
const longestPathBytes = 103

function reach(directory: string, name: string): Address {
  const path = join(directory, name)
  if (platform === 'win32') {
    throw new HarnessError(
      'UNSUPPORTED_PLATFORM',
      'the JSONL store needs Unix sockets to keep out second writers: use another store on Windows',
    )
  }
  if (Buffer.byteLength(path) <= longestPathBytes) return { path, release: () => undefined }
  if (platform !== 'linux') {
    throw new HarnessError(
      'PATH_TOO_LONG',
      `a session directory's path may have at most ${longestPathBytes - name.length - 1} bytes here (found ${directory}): move the directory`,
    )
  }
  const opened = openSync(directory, 'r')
  return { path: `/proc/self/fd/${opened}/${name}`, release: () => closeSync(opened) }
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => server.close(() => resolve()))
}
