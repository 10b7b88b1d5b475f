import { scriptedModel } from '@agent-spine/model/testing'
import { describe, expect, it } from 'vitest'
import { memorySession } from '../test/scenario.js'
import type { AgentOptions } from './agent-options.js'
import { checkOptions, kindOf } from './check-options.js'

const good: AgentOptions = { session: memorySession(), model: scriptedModel([]) }

function refusalOf(options: object): string {
  try {
    checkOptions({ ...good, ...options })
    return 'taken'
  } catch (error) {
    const { code, message } = error as Error & { readonly code: string }
    return `${code}: ${message}`
  }
}

it.each<[string, object]>([
  ['nothing beside session and model', {}],
  ['what is undefined', { tools: undefined, hooks: undefined, retry: undefined, maxSteps: undefined }],
  ['the least of every number', { maxSteps: 1, maxParallelToolCalls: 1, abortGraceMs: 0 }],
  ['retries that are off', { retry: { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0, random: () => 0 } }],
  ['durations without an end', { abortGraceMs: Infinity }],
  ['a function for the cap', { maxParallelToolCalls: () => 3 }],
  ['a list of hooks', { hooks: [{ preStep: () => 1 }, { request: undefined, note: 'data' }] }],
  ['hooks of tools', { hooks: { preExecute: () => 1, execute: () => 1, postExecute: () => 1 } }],
])('takes %s', (_, options) => {
  expect(refusalOf(options)).toBe('taken')
})

const names =
  'session, model, tools, system, config, hooks, retry, maxParallelToolCalls, maxSteps, abortGraceMs, signal, newId'

describe('refuses, and says what to do:', () => {
  it.each<[string, object, string]>([
    [
      'a misspelt option',
      { maxStep: 3 },
      `expected an option of createAgent to be one of ${names}, found "maxStep": correct it, or leave it out`,
    ],
    [
      'a misspelt property of retry',
      { retry: { retries: 3 } },
      'expected a property of retry to be one of maxRetries, baseDelayMs, maxDelayMs, random, found "retries": correct it, or leave it out',
    ],
    [
      'a misspelt hook',
      { hooks: { prestep: () => 1 } },
      'expected hooks to be named preStep, request, requestError, turnStopping, compact, found "prestep": correct it, or leave it out',
    ],
    [
      'a hook that is no function',
      { hooks: [{}, { compact: 'yes' }] },
      'expected the hook compact to be a function, found a value of type string: pass (context, next) => next()',
    ],
    [
      'hooks that are null',
      { hooks: null },
      'expected hooks to be an object, or a list of objects, found null: pass { preStep } or the like',
    ],
    [
      'hooks that are a function',
      { hooks: () => 1 },
      'expected hooks to be an object, or a list of objects, found a value of type function: pass { preStep } or the like',
    ],
    [
      'a model that cannot stream',
      { model: { stream: [] } },
      'expected model to have a function stream(request), found an array: pass a LanguageModel of @agent-spine/model',
    ],
    [
      'no model',
      { model: undefined },
      'expected model to have a function stream(request), found nothing: pass a LanguageModel of @agent-spine/model',
    ],
  ])('%s', (_, options, message) => {
    expect(refusalOf(options)).toBe(`INVALID_OPTIONS: ${message}`)
  })

  it.each<[string, object, number]>([
    ['maxSteps to be an integer of at least 1', { maxSteps: 0 }, 0],
    ['maxSteps to be an integer of at least 1', { maxSteps: 1.5 }, 1.5],
    ['maxParallelToolCalls to be an integer of at least 1', { maxParallelToolCalls: 0 }, 0],
    ['retry.maxRetries to be an integer of at least 0', { retry: { maxRetries: -1 } }, -1],
    ['retry.maxRetries to be an integer of at least 0', { retry: { maxRetries: Infinity } }, Infinity],
  ])('expected %s: %j', (expectation, options, found) => {
    expect(refusalOf(options)).toBe(
      `INVALID_OPTIONS: expected ${expectation}, found ${found}: correct it, or leave it out for the default`,
    )
  })

  it.each<[string, object, number]>([
    ['retry.baseDelayMs', { retry: { maxRetries: 1, baseDelayMs: -1 } }, -1],
    ['retry.maxDelayMs', { retry: { maxRetries: 1, maxDelayMs: NaN } }, NaN],
    ['abortGraceMs', { abortGraceMs: -1 }, -1],
  ])('a %s that is no duration: %j', (name, options, found) => {
    expect(refusalOf(options)).toBe(
      `INVALID_OPTIONS: expected ${name} to be a number of milliseconds that is not negative, found ${found}: correct it, or leave it out for the default`,
    )
  })
})

it.each<[unknown, string]>([
  [null, 'null'],
  [[], 'an array'],
  [undefined, 'nothing'],
  [{}, 'a value of type object'],
  [5, 'a value of type number'],
])('calls %j what it is', (value, kind) => {
  expect(kindOf(value)).toBe(kind)
})
