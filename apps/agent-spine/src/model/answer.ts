import { type JsonObject } from '@agent-spine/schema'

/** What the scripted model says in one step. Without calls, the turn is over. */
export interface Answer {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly args: JsonObject }[]
}

export function say(text: string): Answer {
  return { text, calls: [] }
}
