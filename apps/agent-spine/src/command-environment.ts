import { type ReadStream } from 'node:tty'
import { type Output } from './output/output.js'
import { type Paint } from './output/paint.js'

/** The world as a command sees it. */
export interface CommandEnvironment {
  readonly cwd: string
  readonly variables: NodeJS.ProcessEnv
  readonly stdin: ReadStream
  readonly stdout: Output
  readonly stderr: Output
  /** For stdout and for stderr. */
  readonly paint: { readonly out: Paint; readonly talk: Paint }
  /** Whether a person can be asked: `stdin` and `stderr` are terminals. */
  readonly canAsk: boolean
  /** Listens to Ctrl-C and its like. The returned function ends that. */
  onInterrupt(listener: () => void): () => void
  /** Does what Ctrl-C does. */
  readonly interrupt: () => void
  /** Ends the process at once. */
  exit(code: number): never
}
