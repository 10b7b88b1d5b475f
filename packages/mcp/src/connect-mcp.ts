import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { HarnessError } from '@agent-spine/schema'
import { type Tool } from '@agent-spine/tools'
import { Catalog } from './catalog.js'
import { MCP_CONNECT_FAILED, MCP_REQUEST_FAILED, reasonText, serverGone } from './errors.js'
import { type McpImportOptions, type McpToolImport } from './import-tool.js'
import { Line, noLimitMs } from './line.js'
import { type McpServerProcess, ServerProcess } from './server-process.js'
import { type McpTransport, sdkTransport } from './transport.js'
import { withinLimit } from './within-limit.js'

/** Where a server is: a process to start, or a transport that reaches it. */
export type McpServerAddress =
  (McpServerProcess & { readonly transport?: never }) | { readonly transport: McpTransport }

/** How to connect, beside the address. */
export interface McpConnectOptions extends McpImportOptions {
  /** What we call ourselves to the server. Default `agent-spine`, `0.0.0`. */
  readonly client?: { readonly name: string; readonly version: string }
  /** How long connecting may take, the first listing included, and each later listing, in milliseconds. Default 30 000. */
  readonly requestLimitMs?: number
  /** Gives up connecting. Has no effect later: use `close`. */
  readonly signal?: AbortSignal
}

/** A server and its tools. */
export interface McpConnection {
  /** What the server calls itself, and what it tells models about its use. Claims, not facts. */
  readonly server: { readonly name: string; readonly version: string; readonly instructions?: string }
  /** The tools that could be taken over, as of the last listing, in the server's order. */
  readonly tools: readonly Tool[]
  /** What became of every tool that the server listed: what was changed, and what was left out and why. */
  readonly imports: readonly McpToolImport[]
  /** Whether calls can be sent. */
  readonly isOpen: boolean
  /** Whether the server has said that its tools changed since the last listing began. */
  readonly isStale: boolean
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>
  /**
   * Lists the tools again. Tools that were handed out before stay usable, with the schemas they had.
   *
   * @throws HarnessError `MCP_SERVER_GONE` or `MCP_REQUEST_FAILED`; `tools` stays as it was
   */
  refresh(): Promise<void>
  /** Calls `listener` whenever the server says that its tools changed. What it throws is dropped. Returns a function that ends it. */
  onToolsChanged(listener: () => void): () => void
  /**
   * Ends the connection, and the process that was started for it. Calls that the server does not answer while it ends
   * have an unknown outcome.
   */
  close(): Promise<void>
}

const defaultLimitMs = 30_000

/**
 * Connects to an MCP server and takes over its tools.
 *
 * @throws HarnessError `MCP_CONNECT_FAILED` or `INVALID_OPTION`; the reason of `signal` if that gave up. No process is
 *   left behind.
 */
export async function connectMcp(options: McpServerAddress & McpConnectOptions): Promise<McpConnection> {
  const limitMs = readLimit(options.requestLimitMs ?? defaultLimitMs)
  const { client: identity = { name: 'agent-spine', version: '0.0.0' }, signal: caller } = options
  caller?.throwIfAborted()
  const transport = options.transport ?? new ServerProcess(options)
  const client = new Client({ ...identity }, { capabilities: {} })
  const line = new Line(client)
  const catalog = new Catalog(line, options)
  const closed = new Promise<void>(resolve => {
    client.onclose = () => {
      line.markClosed()
      resolve()
    }
  })
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => catalog.markStale())

  async function list(signal: AbortSignal): Promise<void> {
    if (client.getServerCapabilities()?.tools) await catalog.load(signal)
  }

  async function close(): Promise<void> {
    line.markClosed()
    await transport.close()
  }

  try {
    const limits = { limitMs, signal: caller }
    await withinLimit(async signal => {
      await client.connect(sdkTransport(transport), { signal, timeout: noLimitMs })
      line.serverName = client.getServerVersion()?.name ?? line.serverName
      await list(signal)
    }, limits)
  } catch (error) {
    await close().catch(() => undefined)
    caller?.throwIfAborted()
    throw connectFailure(options, { error, transport })
  }

  const instructions = client.getInstructions()
  return {
    server: {
      name: line.serverName,
      version: client.getServerVersion()?.version ?? '',
      ...(instructions !== undefined && { instructions }),
    },
    get tools() {
      return catalog.tools
    },
    get imports() {
      return catalog.imports
    },
    get isOpen() {
      return line.isOpen
    },
    get isStale() {
      return catalog.isStale
    },
    closed,
    refresh: async () => {
      if (!line.isOpen) throw serverGone(line.serverName)
      await withinLimit(list, { limitMs }).catch((error: unknown) => {
        throw listFailure(line, error)
      })
    },
    onToolsChanged: listener => catalog.onStale(listener),
    close,
  }
}

function readLimit(limitMs: number): number {
  if (limitMs > 0) return Math.min(Math.floor(limitMs), noLimitMs)
  throw new HarnessError(
    'INVALID_OPTION',
    `requestLimitMs must be a number of milliseconds above 0, found ${limitMs}`,
  )
}

interface FailedAttempt {
  readonly error: unknown
  readonly transport: McpTransport
}

function connectFailure(address: McpServerAddress, { error, transport }: FailedAttempt): HarnessError {
  const server = address.transport ? 'over the transport that was given' : `"${address.command}"`
  const words = transport instanceof ServerProcess ? transport.stderrTail : ''
  return new HarnessError(
    MCP_CONNECT_FAILED,
    `Could not connect to the MCP server ${server}: ${reasonText(error)}` +
      (words === '' ? '' : `. The last it wrote to stderr: ${words}`),
    { cause: error },
  )
}

function listFailure(line: Line, error: unknown): HarnessError {
  if (HarnessError.is(error)) return error
  if (!line.isOpen) return serverGone(line.serverName)
  return new HarnessError(
    MCP_REQUEST_FAILED,
    `The MCP server "${line.serverName}" could not list its tools: ${reasonText(error)}`,
    { cause: error },
  )
}
