import type { LanguageModel } from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'
import type { AgentOptions } from './agent-options.js'
import type { AgentHooks } from './hooks.js'
import type { RetryPolicy } from './retry.js'

/** Every name an option may have: a name that is missing here does not compile. */
const optionNames = Object.keys({
  session: 0,
  model: 0,
  tools: 0,
  system: 0,
  config: 0,
  hooks: 0,
  retry: 0,
  maxParallelToolCalls: 0,
  maxSteps: 0,
  abortGraceMs: 0,
  signal: 0,
  newId: 0,
} satisfies Record<keyof AgentOptions, 0>)

const hookNames = Object.keys({
  preStep: 0,
  request: 0,
  requestError: 0,
  turnStopping: 0,
  compact: 0,
} satisfies Record<keyof AgentHooks, 0>)

const retryNames = Object.keys({
  maxRetries: 0,
  baseDelayMs: 0,
  maxDelayMs: 0,
  random: 0,
} satisfies Record<keyof RetryPolicy, 0>)

/** One object may hold hooks of the tool runtime too. */
const toolHookNames: readonly string[] = ['preExecute', 'execute', 'postExecute']

/** Refuses what could not work, before anything starts. A caller without types may pass anything. @throws HarnessError `INVALID_OPTIONS` */
export function checkOptions(options: AgentOptions): void {
  assertNames('an option of createAgent', options, optionNames)
  assertModel(options.model)
  const { hooks, retry } = options
  for (const object of hooks === undefined ? [] : [hooks].flat()) assertHooks(object)
  if (retry !== undefined) assertNames('a property of retry', retry, retryNames)
  checkNumbers(options)
}

function assertNames(what: string, given: object, names: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    refuse(`expected ${what} to be one of ${names.join(', ')}, found "${name}": correct it, or leave it out`)
  }
}

function assertModel(model: Partial<LanguageModel> | undefined): void {
  if (typeof model?.stream === 'function') return
  refuse(
    `expected model to have a function stream(request), found ${kindOf(model?.stream)}: pass a LanguageModel of @agent-spine/model`,
  )
}

function assertHooks(hooks: AgentHooks): void {
  if (typeof hooks !== 'object' || (hooks as unknown) === null) {
    refuse(
      `expected hooks to be an object, or a list of objects, found ${kindOf(hooks)}: pass { preStep } or the like`,
    )
  }
  for (const name of hookNames) {
    const hook = (hooks as Readonly<Record<string, unknown>>)[name]
    if (hook === undefined || typeof hook === 'function') continue
    refuse(
      `expected the hook ${name} to be a function, found ${kindOf(hook)}: pass (context, next) => next()`,
    )
  }
  for (const [name, value] of Object.entries(hooks) as [string, unknown][]) {
    if (typeof value !== 'function' || hookNames.includes(name) || toolHookNames.includes(name)) continue
    refuse(`expected hooks to be named ${hookNames.join(', ')}, found "${name}": correct it, or leave it out`)
  }
}

function checkNumbers({ maxSteps, maxParallelToolCalls, abortGraceMs, retry }: AgentOptions): void {
  assertCount('maxSteps', maxSteps, 1)
  if (typeof maxParallelToolCalls !== 'function') assertCount('maxParallelToolCalls', maxParallelToolCalls, 1)
  assertCount('retry.maxRetries', retry?.maxRetries, 0)
  assertDuration('retry.baseDelayMs', retry?.baseDelayMs)
  assertDuration('retry.maxDelayMs', retry?.maxDelayMs)
  assertDuration('abortGraceMs', abortGraceMs)
}

function assertCount(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return
  refuse(
    `expected ${name} to be an integer of at least ${least}, found ${value}: correct it, or leave it out for the default`,
  )
}

function assertDuration(name: string, value: number | undefined): void {
  if (value === undefined || value >= 0) return
  refuse(
    `expected ${name} to be a number of milliseconds that is not negative, found ${value}: correct it, or leave it out for the default`,
  )
}

function refuse(message: string): never {
  throw new HarnessError('INVALID_OPTIONS', message)
}

/** What `value` is, in a word. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return value === undefined ? 'nothing' : `a value of type ${typeof value}`
}
