import { HarnessError } from '@agent-spine/schema'
import { type VisibleTools } from './batch.js'
import { contained } from './contained.js'
import { Listeners } from './listeners.js'
import { type Tool } from './tool.js'

/** The tools of a runtime, and who wants to know when they change. */
export class ToolRegistry implements VisibleTools {
  readonly #tools = new Map<string, Tool>()
  readonly #listeners = new Listeners<[]>()

  /** Returns a function that removes the tool. @throws HarnessError `DUPLICATE_TOOL` */
  register(tool: Tool): () => void {
    if (this.#tools.has(tool.name)) {
      throw new HarnessError(
        'DUPLICATE_TOOL',
        `a tool named "${tool.name}" is registered already; unregister it first, or choose another name`,
      )
    }
    this.#tools.set(tool.name, tool)
    this.#listeners.tell()
    return () => {
      if (this.#tools.get(tool.name) !== tool) return
      this.#tools.delete(tool.name)
      this.#listeners.tell()
    }
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  /** In order of name, by code unit: the same on every machine. */
  list(): readonly Tool[] {
    return [...this.#tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Returns a function that ends it. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }
}

/** What `filter` lets through, asked anew every time. Anything but `true` hides the tool. */
export function filteredTools(tools: VisibleTools, filter: (tool: Tool) => boolean): VisibleTools {
  function isVisible(tool: Tool): boolean {
    return contained(() => filter(tool)) === true
  }

  return {
    get: name => {
      const tool = tools.get(name)
      return tool && isVisible(tool) ? tool : undefined
    },
    list: () => tools.list().filter(isVisible),
  }
}
