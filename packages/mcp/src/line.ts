import { type Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { type JsonObject } from '@agent-spine/schema'

/** How a request is sent. */
export interface RequestOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (update: JsonObject) => void
}

/** The longest that a timer can take: the SDK always sets one, and time limits are not its matter here. */
export const noLimitMs = 2 ** 31 - 1

/** A connection, as far as requests need it. */
export class Line {
  readonly #client: Client
  #isOpen = true
  /** What the server calls itself. */
  serverName = 'unknown'

  constructor(client: Client) {
    this.#client = client
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** From here on, nothing is sent. */
  markClosed(): void {
    this.#isOpen = false
  }

  /** Sends a request and answers its result, unread. An abort sends the cancellation and rejects at once. */
  async request(
    method: string,
    params: JsonObject,
    { signal, onProgress }: RequestOptions,
  ): Promise<JsonObject> {
    // The SDK never takes its listener off, and would cancel requests that were answered long ago.
    const stop = new AbortController()
    const onAbort = () => stop.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    try {
      const result = await this.#client.request({ method, params: { ...params } }, ResultSchema, {
        signal: stop.signal,
        timeout: noLimitMs,
        ...(onProgress && { onprogress: update => onProgress({ ...update } as JsonObject) }),
      })
      return result as JsonObject
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}
