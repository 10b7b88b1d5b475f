import { type ToolSchema } from '@agent-spine/model'
import { type BindOptions, type BoundTools } from './bound-tools.js'
import { type Approver, type ToolGuard, type ToolHooks } from './hooks.js'
import { type ToolCall } from './tool-call.js'
import { type ToolOutcome } from './outcome.js'
import { type Tool } from './tool.js'

/** What a runtime is made of. */
export interface ToolRuntimeOptions {
  readonly tools?: readonly Tool[]
  readonly hooks?: ToolHooks | readonly ToolHooks[]
  readonly guards?: readonly ToolGuard[]
  /** Answers calls that a hook asks about. Without one, they are denied. */
  readonly approve?: Approver
  /** How much text one result may hold, in bytes of UTF-8. Default 65 536. */
  readonly maxResultBytes?: number
  /** How large one inline image may be, in bytes of base64. Default 5 242 880. */
  readonly maxImageBytes?: number
}

/** An outcome, as observers see it. */
export interface ObservedOutcome {
  readonly call: ToolCall
  readonly outcome: ToolOutcome
}

/** How a single call is executed. */
export interface ExecuteOptions extends BindOptions {
  readonly signal?: AbortSignal
}

/** Owns the tools, their policy and what is known of bodies that were left running. */
export interface ToolRuntime {
  /** Adds a tool; the returned function removes it. @throws HarnessError `DUPLICATE_TOOL` */
  register(tool: Tool): () => void
  get(name: string): Tool | undefined
  /** What the model is told, ordered by name: names, descriptions and parameters only. */
  schemas(): readonly ToolSchema[]
  /** Calls `listener` after every change of the tools. Returns a function that ends it. */
  onChange(listener: () => void): () => void
  /** Calls `observer` with every outcome when it is final. What it throws is dropped. Returns a function that ends it. */
  onOutcome(observer: (observed: ObservedOutcome) => void): () => void
  /** A view that shows only tools which `filter` accepts. It shares everything else. */
  withTools(filter: (tool: Tool) => boolean): ToolRuntime
  /** The stages of one batch. */
  bind(options?: BindOptions): BoundTools
  /** Takes one call through all stages. Resolves for every outcome; rejects only for a failing `beforeBody` or `subCall`. */
  execute(call: ToolCall, options?: ExecuteOptions): Promise<ToolOutcome>
}

/** Makes a runtime. @throws HarnessError `DUPLICATE_TOOL` */
export declare function createToolRuntime(options?: ToolRuntimeOptions): ToolRuntime
