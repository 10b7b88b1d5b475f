import { runStagedCalls } from '@agent-spine/scheduler'
import type { Session } from '@agent-spine/session'
import { createToolRuntime, type ToolCall, type ToolRuntime } from '@agent-spine/tools'
import type { BatchCandidate, BatchComparison } from '../measure-batches.js'
import { byHand } from './by-hand.js'
import { runLogged, sessionAsking } from './logged-batch.js'
import { askingHooks, fiveArguments, fiveArgumentsText, noop, passingHooks } from './noop-tools.js'

const size = 1_000

/** Everything `bench tools` compares: no-op tools at cap 10, in one batch, and in batches as a model makes them. */
export function toolComparisons(): BatchComparison[] {
  return [size, 10].map(batchSize => {
    const plain = batchesOf(batchSize, 'noop', '{}')
    const arguments5 = batchesOf(batchSize, 'five_arguments', fiveArgumentsText)
    const runtime = createToolRuntime({ tools: [noop, fiveArguments] })
    const hooked = createToolRuntime({ tools: [noop, fiveArguments], hooks: passingHooks })
    const asking = createToolRuntime({
      tools: [noop],
      hooks: askingHooks,
      approve: () => ({ kind: 'allow' }),
    })
    return {
      title: `No-op tool calls at cap 10, ${batchSize.toLocaleString('en')} a batch, time a call`,
      size,
      reference: 'with the log',
      candidates: [
        piped('pipeline alone', runtime, plain),
        piped('with five arguments', runtime, arguments5, 'author DSL'),
        piped('with hooks', hooked, plain, 'preExecute, execute and postExecute'),
        piped('with approval', asking, plain, 'a hook asks, the approver allows'),
        logged('with the log', runtime, plain, 'tool/call, tool/dispatch and tool/result, in memory'),
        logged('with the log, hooks and five arguments', hooked, arguments5),
        byHand(arguments5),
      ],
    }
  })
}

function batchesOf(batchSize: number, name: string, raw: string): readonly (readonly ToolCall[])[] {
  return Array.from({ length: size / batchSize }, (_, batch) =>
    Array.from({ length: batchSize }, (_, index) => ({ callId: `c${batch}_${index}`, name, arguments: raw })),
  )
}

type Batches = readonly (readonly ToolCall[])[]

// eslint-disable-next-line max-params -- a row of the table: what it is called, what runs, on what, what to know of it
function piped(name: string, runtime: ToolRuntime, batches: Batches, note?: string): BatchCandidate {
  const journal = { started: () => undefined, committed: () => undefined, skipped: () => undefined }
  return {
    name,
    run: async () => {
      for (const calls of batches) await runStagedCalls(calls, runtime.bind(), journal, { maxParallel: 10 })
    },
    ...(note !== undefined && { note }),
  }
}

// eslint-disable-next-line max-params -- as above
function logged(name: string, runtime: ToolRuntime, batches: Batches, note?: string): BatchCandidate {
  let sessions: Session[] = []
  return {
    name,
    setUp: async () => {
      sessions = await Promise.all(batches.map(sessionAsking))
    },
    run: async () => {
      for (const [index, calls] of batches.entries()) {
        const session = sessions[index]
        if (session !== undefined) await runLogged(runtime, calls, session)
      }
    },
    ...(note !== undefined && { note }),
  }
}
