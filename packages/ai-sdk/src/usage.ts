import type { TokenUsage } from '@agent-spine/model'
import type { ProviderMetadata } from './replay.js'
import type { SdkFlatUsage, SdkNestedUsage, SdkUsage } from './stream-part.js'

/** What a `finish` part says of tokens. */
interface UsageReport {
  readonly usage: SdkUsage
  readonly providerMetadata?: ProviderMetadata
}

/** Usage as five counts that do not overlap; `undefined` where the provider said nothing, which is not the same as 0. */
export function tokenUsage(
  { usage, providerMetadata }: UsageReport,
  provider: string,
): TokenUsage | undefined {
  if (isNested(usage)) {
    const { inputTokens: input, outputTokens: output } = usage
    const known = [input.total, input.noCache, output.total, output.text]
    return known.some(count => count !== undefined) ? fromNested(usage) : undefined
  }
  const known = [usage.inputTokens, usage.outputTokens]
  return known.some(count => count !== undefined) ? fromFlat(usage, provider, providerMetadata) : undefined
}

function isNested(usage: SdkUsage): usage is SdkNestedUsage {
  return typeof usage.inputTokens === 'object'
}

function fromNested({ inputTokens: input, outputTokens: output }: SdkNestedUsage): TokenUsage {
  const { cacheRead, cacheWrite } = input
  const { reasoning } = output
  return counts({
    input: input.noCache ?? rest(input.total, cacheRead, cacheWrite),
    output: output.text ?? rest(output.total, reasoning),
    cacheRead,
    cacheWrite,
    reasoning,
  })
}

/**
 * Version 2 does not say which counts hold which. Anthropic's input never holds what was cached. Reasoning is within
 * the output where the two other counts are already the total.
 */
function fromFlat(usage: SdkFlatUsage, provider: string, metadata: ProviderMetadata | undefined): TokenUsage {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, reasoningTokens } = usage
  const anthropic = /anthropic|bedrock/i.test(provider)
  const written = metadata?.['anthropic']?.['cacheCreationInputTokens']
  const apart = (inputTokens ?? 0) + (outputTokens ?? 0) + (reasoningTokens ?? 0)
  return counts({
    input: anthropic ? inputTokens : rest(inputTokens, cachedInputTokens),
    output: totalTokens === apart ? outputTokens : rest(outputTokens, reasoningTokens),
    cacheRead: cachedInputTokens,
    cacheWrite: typeof written === 'number' ? written : undefined,
    reasoning: reasoningTokens,
  })
}

function rest(total: number | undefined, ...parts: readonly (number | undefined)[]): number {
  return Math.max(
    0,
    parts.reduce<number>((left, part) => left - (part ?? 0), total ?? 0),
  )
}

function counts(
  known: Record<'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'reasoning', number | undefined>,
): TokenUsage {
  const { input = 0, output = 0, cacheRead, cacheWrite, reasoning } = known
  return {
    inputTokens: input,
    outputTokens: output,
    ...(cacheRead !== undefined && { cacheReadTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  }
}
