import { TOOL_ABORTED_BEFORE_DISPATCH, type ToolSchema } from '@agent-spine/model'
import { runStagedCalls } from '@agent-spine/scheduler'
import { type RuntimeParts } from './batch.js'
import { bindBatch } from './bind.js'
import { type BindOptions, type BoundTools } from './bound-tools.js'
import { BusyBodies } from './busy.js'
import { contentLimits } from './content.js'
import { type Approver, type ToolGuard, type ToolHooks } from './hooks.js'
import { Listeners } from './listeners.js'
import { type ToolOutcome, unrunOutcome } from './outcome.js'
import { filteredTools, ToolRegistry } from './registry.js'
import { type Tool } from './tool.js'
import { toolSchema } from './tool-schema.js'
import { type ToolCall } from './tool-call.js'

/** What a runtime is made of. */
export interface ToolRuntimeOptions {
  readonly tools?: readonly Tool[]
  readonly hooks?: ToolHooks | readonly ToolHooks[]
  readonly guards?: readonly ToolGuard[]
  /** Answers calls that a hook asks about. Without one, they are denied. */
  readonly approve?: Approver
  /** How much text one result may hold, in bytes of UTF-8. At least 1024. Default 65 536. */
  readonly maxResultBytes?: number
  /** How large one image may be, in bytes of base64 or of its address. Default 5 242 880. */
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
  /** Calls `observer` with every outcome as it is committed. What it throws is dropped. Returns a function that ends it. */
  onOutcome(observer: (observed: ObservedOutcome) => void): () => void
  /** A view that shows only the tools which `filter` accepts. It shares everything else, later changes included. */
  withTools(filter: (tool: Tool) => boolean): ToolRuntime
  /** The stages of one batch. @throws HarnessError `INVALID_OPTION` */
  bind(options?: BindOptions): BoundTools
  /** Takes one call through all stages. Resolves for every outcome; rejects only when `beforeBody` or another seam to a log fails. */
  execute(call: ToolCall, options?: ExecuteOptions): Promise<ToolOutcome>
}

/** Makes a runtime. @throws HarnessError `DUPLICATE_TOOL` or `INVALID_OPTION` */
export function createToolRuntime(options: ToolRuntimeOptions = {}): ToolRuntime {
  const { tools = [], hooks = [], guards = [], approve } = options
  const registry = new ToolRegistry()
  for (const tool of tools) registry.register(tool)
  const observers = new Listeners<[ObservedOutcome]>()
  return runtimeOver(registry, observers, {
    tools: registry,
    hooks: 'length' in hooks ? [...hooks] : [hooks],
    guards: [...guards],
    approve,
    busy: new BusyBodies(),
    contentLimits: contentLimits(options),
    observe: (call, outcome) => observers.tell({ call, outcome }),
  })
}

function runtimeOver(
  registry: ToolRegistry,
  observers: Listeners<[ObservedOutcome]>,
  parts: RuntimeParts,
): ToolRuntime {
  return {
    register: tool => registry.register(tool),
    get: name => parts.tools.get(name),
    schemas: () => parts.tools.list().map(toolSchema),
    onChange: listener => registry.onChange(listener),
    onOutcome: observer => observers.add(observer),
    withTools: filter =>
      runtimeOver(registry, observers, { ...parts, tools: filteredTools(parts.tools, filter) }),
    bind: (options = {}) => bindBatch(parts, options),
    execute: (call, options = {}) => executeAlone(bindBatch(parts, options), call, options),
  }
}

async function executeAlone(
  stages: BoundTools,
  call: ToolCall,
  { signal, abortGraceMs, startTimer }: ExecuteOptions,
): Promise<ToolOutcome> {
  let outcome = unrunOutcome(TOOL_ABORTED_BEFORE_DISPATCH)
  const journal = {
    started: () => undefined,
    committed: (_: ToolCall, committed: ToolOutcome) => {
      outcome = committed
    },
    skipped: () => undefined,
  }
  await runStagedCalls([call], stages, journal, { signal, abortGraceMs, startTimer })
  return outcome
}
