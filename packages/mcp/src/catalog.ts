import { HarnessError, type JsonValue } from '@agent-spine/schema'
import { type Tool } from '@agent-spine/tools'
import { type McpImportOptions, importTools, type McpToolImport } from './import-tool.js'
import { type Line } from './line.js'
import { listTools } from './list-tools.js'

/** What is known of a server's tools, and whether it still holds. */
export class Catalog {
  readonly #line: Line
  readonly #options: McpImportOptions
  readonly #listeners = new Set<() => void>()
  #imports: readonly McpToolImport[] = []
  #tools: readonly Tool[] = []
  #isStale = false
  /** Listings follow each other, so that an older answer never replaces a newer one. */
  #loading: Promise<unknown> = Promise.resolve()

  constructor(line: Line, options: McpImportOptions) {
    this.#line = line
    this.#options = options
  }

  get imports(): readonly McpToolImport[] {
    return this.#imports
  }

  get tools(): readonly Tool[] {
    return this.#tools
  }

  get isStale(): boolean {
    return this.#isStale
  }

  /** Lists the tools and takes them over; what was known stays when that fails. */
  load(signal: AbortSignal): Promise<void> {
    const loaded = this.#loading.then(() => this.#load(signal))
    this.#loading = loaded.catch(() => undefined)
    return loaded
  }

  async #load(signal: AbortSignal): Promise<void> {
    const wasStale = this.#isStale
    // A change that is announced from here on may be missing in the answer.
    this.#isStale = false
    let listed: readonly JsonValue[]
    try {
      listed = await listTools(this.#line, signal)
    } catch (error) {
      this.#isStale ||= wasStale
      throw error
    }
    this.#imports = Object.freeze(importTools(this.#line, listed, this.#options))
    this.#tools = Object.freeze(this.#imports.flatMap(item => (item.kind === 'imported' ? [item.tool] : [])))
  }

  markStale(): void {
    this.#isStale = true
    for (const listener of [...this.#listeners]) {
      try {
        listener()
      } catch {
        // A listener is not what the others, or the server, should suffer from.
      }
    }
  }

  onStale(listener: () => void): () => void {
    if (typeof listener !== 'function') {
      throw new HarnessError('INVALID_OPTION', `onToolsChanged expects a function, found ${typeof listener}`)
    }
    const own = () => listener()
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }
}
