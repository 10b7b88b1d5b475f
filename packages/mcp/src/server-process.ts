import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

/** A server to start as a child process, which speaks MCP over its stdin and stdout. */
export interface McpServerProcess {
  readonly command: string
  readonly args?: readonly string[]
  /** Added to the few variables that a server inherits: `HOME`, `LOGNAME`, `PATH`, `SHELL`, `TERM`, `USER`. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Given what the server writes to stderr. Without it, only the last lines are kept, for the error of a failed start. */
  readonly onStderr?: (text: string) => void
}

const stderrTailLength = 2000

/** A server's process as a transport. */
export class ServerProcess extends StdioClientTransport {
  #closing: Promise<void> | undefined
  #stderrTail = ''

  constructor({ command, args = [], env = {}, cwd, onStderr }: McpServerProcess) {
    super({ command, args: [...args], env: { ...env }, ...(cwd !== undefined && { cwd }), stderr: 'pipe' })
    const decoder = new TextDecoder()
    this.stderr?.on('data', (bytes: Uint8Array) => {
      const text = decoder.decode(bytes, { stream: true })
      this.#stderrTail = (this.#stderrTail + text).slice(-stderrTailLength)
      onStderr?.(text)
    })
  }

  /** The end of what the server has written to stderr. */
  get stderrTail(): string {
    return this.#stderrTail.trim()
  }

  /** Closes stdin; after two seconds asks the process to end, after two more kills it. Every caller waits for the same end. */
  override close(): Promise<void> {
    return (this.#closing ??= super.close())
  }
}
