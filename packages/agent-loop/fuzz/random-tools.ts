import {
  createToolRuntime,
  defineTool,
  type BoundTools,
  type Tool,
  type ToolContext,
  type ToolHooks,
  type ToolRuntime,
} from '@agent-spine/tools'
import { linger, type World } from './world.js'

const parameters = { text: { type: 'string' } } as const
const output = { type: 'string' } as const

/** Tools of every kind, whose bodies take their time, fail, call each other and sometimes ignore what they are told. */
export function randomTools(world: World): ToolRuntime {
  const runtime = createToolRuntime({ tools: tools(world), hooks: hooks(world) })
  return { ...runtime, bind: options => failingStages(world, runtime.bind(options)) }
}

function tools(world: World): Tool[] {
  const plain = { description: 'does something', parameters, output }
  return [
    defineTool({
      ...plain,
      name: 'read',
      isConcurrencySafe: () => true,
      execute: (_, context) => body(world, context),
    }),
    defineTool({ ...plain, name: 'write', execute: (_, context) => body(world, context) }),
    defineTool({
      ...plain,
      name: 'keyed',
      isConcurrencySafe: () => true,
      conflictKey: ({ text }) => text,
      execute: (_, context) => body(world, context),
    }),
    defineTool({
      ...plain,
      name: 'note',
      isConcurrencySafe: () => true,
      execute: (_, context) => {
        context.deferContext('a note')
        return body(world, context)
      },
    }),
    defineTool({
      ...plain,
      name: 'outer',
      isConcurrencySafe: ({ text }) => text === 'x',
      execute: async (_, context) => {
        const names = Array.from({ length: world.random.below(4) }, () => world.random.pick(inner))
        const calls = context.callTools(names.map(name => ({ name, arguments: { text: 'x' } })))
        // A body may also end before its calls do.
        if (world.random.chance(20)) calls.catch(() => undefined)
        else await calls
        return body(world, context)
      },
    }),
    defineTool({
      ...plain,
      name: 'slow',
      timeoutMs: 5,
      isConcurrencySafe: () => true,
      execute: (_, context) => body(world, context),
    }),
    defineTool({
      ...plain,
      name: 'finish',
      execute: (_, context) => {
        context.concludeTurn()
        return body(world, context)
      },
    }),
  ]
}

const inner = ['read', 'write', 'keyed', 'note', 'slow', 'outer', 'missing'] as const

async function body(world: World, context: ToolContext): Promise<string> {
  const { random, trouble, clock, bodies } = world
  bodies.running++
  try {
    world.meddle()
    context.progress('on it')
    await linger(world)
    if (random.chance(trouble.tools / 4)) await clock.sleep(200)
    if (random.chance(60)) context.signal.throwIfAborted()
    world.meddle()
    if (random.chance(trouble.tools / 4)) throw new Error('the body failed')
    if (random.chance(10)) context.deferContext('a last word')
    return 'done'
  } finally {
    bodies.running--
  }
}

function hooks(world: World): ToolHooks {
  const { random, trouble } = world
  return {
    async preExecute() {
      await linger(world)
      world.meddle()
      if (random.chance(trouble.hooks / 4)) throw new Error('the hook failed')
      if (random.chance(trouble.hooks / 4)) return { kind: 'deny', reason: 'no' }
      return { kind: random.chance(trouble.hooks / 4) ? 'ask' : 'allow' }
    },
    postExecute() {
      world.meddle()
      if (random.chance(trouble.hooks / 4)) throw new Error('the hook failed')
      if (random.chance(trouble.hooks / 4)) return { kind: 'block', feedback: 'not this' }
      if (random.chance(trouble.hooks / 4)) return { kind: 'replace-content', content: 'something else' }
      return { kind: 'accept', ...(random.chance(10) && { contexts: ['by the way'] }) }
    },
  }
}

/** The stages as they are, but for what should never happen: one of them throws. */
function failingStages(world: World, stages: BoundTools): BoundTools {
  const mayFail = (): void => {
    if (world.random.chance(world.trouble.stages)) throw new Error('a stage failed')
  }
  return {
    ...stages,
    prepare: (...call) => {
      mayFail()
      return stages.prepare(...call)
    },
    finalize: (execution, settled) => {
      mayFail()
      return stages.finalize(execution, settled)
    },
    finish: (execution, settled) => {
      mayFail()
      return stages.finish(execution, settled)
    },
  }
}
