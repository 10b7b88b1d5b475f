import { defineTool, type Tool, type ToolHooks } from '@agent-spine/tools'

/** Does nothing, asynchronously, and takes nothing. */
export const noop: Tool = defineTool({
  name: 'noop',
  description: 'Does nothing.',
  parameters: {},
  isConcurrencySafe: () => true,
  execute: () => Promise.resolve('done'),
})

/** The same with five arguments to validate. */
export const fiveArguments: Tool = defineTool({
  name: 'five_arguments',
  description: 'Does nothing.',
  parameters: {
    path: { type: 'string', required: true },
    mode: { type: 'string', enum: ['read', 'write'], required: true },
    offset: { type: 'integer' },
    limit: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  isConcurrencySafe: () => true,
  execute: () => Promise.resolve('done'),
})

/** What a model writes for `fiveArguments`. */
export const fiveArgumentsText = JSON.stringify({
  path: 'src/index.ts',
  mode: 'read',
  offset: 10,
  limit: 200,
  tags: ['a', 'b'],
})

/** One hook of every kind, each of which lets everything pass. */
export const passingHooks: ToolHooks = {
  preExecute: () => ({ kind: 'allow' }),
  execute: (_call, next) => next(),
  postExecute: () => ({ kind: 'accept' }),
}

/** Asks about every call. */
export const askingHooks: ToolHooks = { preExecute: () => ({ kind: 'ask' }) }
