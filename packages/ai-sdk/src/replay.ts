import type { AssistantBlock, AssistantMessage, ModelConfig } from '@agent-spine/model'
import type { JsonValue } from '@agent-spine/schema'
import type { ProviderOptions } from './sdk-model.js'

/** State that a provider attaches to a part of its answer, by provider name. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What is known of a block so far, with what a further part of it says. A later word on the same thing holds. */
export function mergeMetadata(
  known: ProviderMetadata | undefined,
  more: ProviderMetadata | undefined,
): ProviderMetadata | undefined {
  if (known === undefined || more === undefined) return known ?? more
  const names = new Set([...Object.keys(known), ...Object.keys(more)])
  return Object.fromEntries([...names].map(name => [name, { ...known[name], ...more[name] }]))
}

/** Metadata as what a log keeps of it: JSON, and nothing where it says nothing. */
export function replayOf(metadata: ProviderMetadata | undefined): JsonValue | undefined {
  if (metadata === undefined) return undefined
  const state = JSON.parse(JSON.stringify(metadata)) as ProviderOptions
  const said = Object.entries(state).filter(([, values]) => Object.keys(values).length > 0)
  return said.length === 0 ? undefined : Object.fromEntries(said)
}

/** Whether a message was made by the model that is asked now: no other understands its replay state. */
export function isOwn({ source }: AssistantMessage, { provider, model }: ModelConfig): boolean {
  return source.provider === provider && source.model === model
}

/** The replay state of a block as it is sent back. */
export function providerOptionsOf({ replay }: Exclude<AssistantBlock, { type: 'image' }>): {
  providerOptions?: ProviderOptions
} {
  return isByProvider(replay) ? { providerOptions: replay } : {}
}

function isByProvider(replay: JsonValue | undefined): replay is ProviderOptions {
  if (typeof replay !== 'object' || replay === null || Array.isArray(replay)) return false
  return Object.values(replay).every(
    value => typeof value === 'object' && value !== null && !Array.isArray(value),
  )
}
