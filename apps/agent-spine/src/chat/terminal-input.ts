// Owns the modes of the terminal while somebody chats.
//
//   T1  Whatever ends the process but SIGKILL, the terminal is as it was found: `restore` runs at the latest on exit.
//   T2  While the process is stopped (Ctrl-Z), the terminal is as it was found, too.
import { emitKeypressEvents } from 'node:readline'
import { type ReadStream } from 'node:tty'
import { type Output } from '../output/output.js'
import { createKeyReader, type Key, type RawKey } from './keys.js'

export interface TerminalInputOptions {
  readonly stdin: ReadStream
  readonly output: Output
  readonly onKey: (key: Key) => void
  /** The terminal is gone. */
  readonly onGone: () => void
}

export interface TerminalInput {
  /** Stops the process, as Ctrl-Z does, and returns once it goes on. */
  suspend(): void
  restore(): void
}

// So that what is pasted can be told from what is typed.
const pasteMarksOn = '\u001b[?2004h'
const pasteMarksOff = '\u001b[?2004l'

export function openTerminalInput({ stdin, output, onKey, onGone }: TerminalInputOptions): TerminalInput {
  const readKey = createKeyReader()
  const onKeypress = (text: string | undefined, rawKey: RawKey) => {
    const key = readKey(text, rawKey)
    if (key !== undefined) onKey(key)
  }
  let active = false

  function enter(): void {
    active = true
    // Off first: the terminal may have been changed behind our back, and setting what is thought to be set does nothing.
    stdin.setRawMode(false)
    stdin.setRawMode(true)
    output.write(pasteMarksOn)
  }

  function leave(): void {
    if (!active) return
    active = false
    output.write(pasteMarksOff)
    // A terminal that hung up has no mode to set.
    try {
      stdin.setRawMode(false)
    } catch {
      return
    }
  }

  emitKeypressEvents(stdin)
  stdin.on('keypress', onKeypress)
  stdin.on('end', onGone)
  stdin.on('error', onGone)
  process.on('exit', leave)
  process.on('SIGCONT', enter)
  enter()
  stdin.resume()

  return {
    suspend() {
      leave()
      process.kill(0, 'SIGTSTP')
      // A process without job control is not stopped, and nothing would tell it to go on.
      enter()
    },
    restore() {
      leave()
      process.off('exit', leave)
      process.off('SIGCONT', enter)
      stdin.off('keypress', onKeypress)
      stdin.off('end', onGone)
      // After this, nobody cares why the terminal cannot be read.
      stdin.off('error', onGone).on('error', () => undefined)
      stdin.pause()
    },
  }
}
