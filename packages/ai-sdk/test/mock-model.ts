import type { AiSdkModel } from '../src/index.js'
import type { CallOptions } from '../src/sdk-model.js'

/** A model of the AI SDK that answers with the parts it is given, and keeps the options of its calls. */
export interface PartsModel extends AiSdkModel {
  readonly calls: readonly CallOptions[]
}

export function partsModel(
  parts: readonly unknown[],
  {
    version = 'v3',
    provider = 'acme',
  }: { version?: AiSdkModel['specificationVersion']; provider?: string } = {},
): PartsModel {
  const calls: CallOptions[] = []
  return {
    specificationVersion: version,
    provider,
    modelId: 'test-model',
    calls,
    doStream: (options: CallOptions) => {
      calls.push(options)
      return Promise.resolve({ stream: streamOf(parts) })
    },
  }
}

export function streamOf(parts: readonly unknown[]): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** The end of an answer, in the words of version 3. */
export function finish(unified = 'stop', raw: string | undefined = unified): unknown {
  return {
    type: 'finish',
    finishReason: { unified, raw },
    usage: {
      inputTokens: { total: 10, noCache: 4, cacheRead: 5, cacheWrite: 1 },
      outputTokens: { total: 7, text: 4, reasoning: 3 },
    },
  }
}
