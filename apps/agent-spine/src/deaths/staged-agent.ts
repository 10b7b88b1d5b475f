// What dies is small, so that where it dies is certain: a model with two answers, and calls that wait for the end.
import { LlmError, type LanguageModel, type StreamChunk } from '@agent-spine/model'
import { createToolRuntime, defineTool, type Tool, type ToolRuntime } from '@agent-spine/tools'

export const firstPrompt = 'run the tests of A and B, then write report.md'
export const secondPrompt = 'And now?'

const calls = [
  { name: 'run_tests', args: { directory: 'A' } },
  { name: 'run_tests', args: { directory: 'B' } },
  { name: 'write_report', args: { path: 'report.md' } },
]

/** Asks for two runs and a report; to anything said later it answers with a word. `midway` holds up its first answer. */
export function stagedModel(midway: (signal: AbortSignal) => Promise<void>): LanguageModel {
  return {
    provider: 'scripted',
    modelId: 'deaths',
    async *stream({ messages, signal }): AsyncGenerator<StreamChunk> {
      const isFirst = messages.filter(({ source }) => source.kind === 'user').length === 1
      yield { type: 'block-start', index: 0, block: { type: 'text' } }
      yield { type: 'text-delta', index: 0, text: isFirst ? 'I will run ' : 'I am still here.' }
      if (isFirst) {
        await midway(signal)
        yield { type: 'text-delta', index: 0, text: 'both, and then write.' }
      }
      yield { type: 'block-end', index: 0 }
      for (const [at, { name, args }] of isFirst ? calls.entries() : []) {
        yield { type: 'block-start', index: at + 1, block: { type: 'tool-call', name } }
        yield { type: 'tool-call-delta', index: at + 1, text: JSON.stringify(args) }
        yield { type: 'block-end', index: at + 1 }
      }
      yield { type: 'finish', reason: { kind: isFirst ? 'tool-calls' : 'stop' } }
    },
  }
}

/** Two calls that overlap, each held up by `body`, and one that is exclusive. */
export function stagedTools(body: (signal: AbortSignal) => Promise<void>): ToolRuntime {
  const tools: Tool[] = [
    defineTool({
      name: 'run_tests',
      description: 'Runs the tests of a directory.',
      parameters: { directory: { type: 'string', required: true } },
      isConcurrencySafe: () => true,
      async execute({ directory }, { signal }) {
        await body(signal)
        return `${directory}: 3 passed`
      },
    }),
    defineTool({
      name: 'write_report',
      description: 'Writes a report.',
      parameters: { path: { type: 'string', required: true } },
      execute: ({ path }) => `Wrote ${path}.`,
    }),
  ]
  return createToolRuntime({ tools })
}

/** The same tools in a harness with a bug: the first result never gets through. */
export function withFailingStage(runtime: ToolRuntime): ToolRuntime {
  let failures = 1
  return {
    ...runtime,
    bind(options) {
      const stages = runtime.bind(options)
      return {
        ...stages,
        finalize(execution, settled) {
          if (failures-- > 0) throw new Error('a bug of the harness, staged')
          return stages.finalize(execution, settled)
        },
      }
    },
  }
}

/** Never resolves; rejects once the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new LlmError('ABORTED', 'stopped', { cause: signal.reason }))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
