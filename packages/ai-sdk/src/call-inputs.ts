import { LlmError, type StreamChunk } from '@agent-spine/model'
import { mergeMetadata, replayOf, type ProviderMetadata } from './replay.js'
import type { CompleteCall, ToolInputStart } from './stream-part.js'

/**
 * Turns the parts of tool calls into chunks.
 *
 * C1. What comes out for a call is the input of its `tool-call` part, byte for byte or, where a provider writes that
 *     anew, as the same JSON. An answer that holds anything else is refused.
 * C2. A piece of input is passed on at once, if it can only belong to one call: providers send several open calls with
 *     one id, often an empty one. The rest of such calls comes with their `tool-call` parts.
 * C3. A call without `tool-call` part is not complete.
 * C4. Nothing comes out for a call that the provider runs itself.
 */
export class CallInputs {
  readonly #nextIndex: () => number
  #open: OpenCall[] = []
  readonly #foreign = new Set<string>()

  constructor(nextIndex: () => number) {
    this.#nextIndex = nextIndex
  }

  start(part: ToolInputStart): StreamChunk[] {
    if (part.providerExecuted === true) {
      this.#foreign.add(part.id)
      return []
    }
    const sameId = this.#open.filter(call => call.id === part.id)
    const call: OpenCall = {
      index: this.#nextIndex(),
      id: part.id,
      name: part.toolName,
      streamed: '',
      // Text that is no JSON is a JSON string in the end.
      held: sameId.length > 0 || part.inputEncoding === 'text',
      metadata: part.providerMetadata,
    }
    for (const other of sameId) other.held = true
    this.#open.push(call)
    return [blockStart(call)]
  }

  delta({ id, delta }: { readonly id: string; readonly delta: string }): StreamChunk[] {
    if (this.#foreign.has(id)) return []
    const call = this.#open.find(open => open.id === id)
    if (call === undefined || call.held || delta === '') return []
    call.streamed += delta
    return [{ type: 'tool-call-delta', index: call.index, text: delta }]
  }

  complete(part: CompleteCall): StreamChunk[] {
    const { toolCallId: id, toolName: name, input } = part
    if (part.providerExecuted === true) {
      this.#foreign.delete(id)
      return []
    }
    const open = this.#open.filter(call => call.id === id)
    const call = open.find(one => one.name === name && continues(one.streamed, input))
    if (open.length > 0 && call === undefined) throw otherInput(part)
    if (call === undefined) {
      const whole = { index: this.#nextIndex(), id, name, streamed: '', metadata: undefined }
      return [blockStart(whole), ...ending(whole, part)]
    }
    this.#open = this.#open.filter(other => other !== call)
    return ending(call, part)
  }

  /** @throws LlmError `INCOMPLETE_STREAM` if a call is not complete. */
  end(): void {
    const [call] = this.#open
    if (call === undefined) return
    throw new LlmError(
      'INCOMPLETE_STREAM',
      `expected every tool call of the answer to be completed, found the call of ${JSON.stringify(call.name)} left open`,
    )
  }
}

interface CallInput {
  readonly index: number
  readonly id: string
  readonly name: string
  streamed: string
  readonly metadata: ProviderMetadata | undefined
}

interface OpenCall extends CallInput {
  held: boolean
}

function blockStart({ index, id, name }: CallInput): StreamChunk {
  return { type: 'block-start', index, block: { type: 'tool-call', id, name } }
}

function ending({ index, streamed, metadata }: CallInput, part: CompleteCall): StreamChunk[] {
  const text = part.input.startsWith(streamed) ? part.input.slice(streamed.length) : ''
  const replay = replayOf(mergeMetadata(metadata, part.providerMetadata))
  return [
    ...(text === '' ? [] : [{ type: 'tool-call-delta' as const, index, text }]),
    { type: 'block-end', index, ...(replay !== undefined && { replay }) },
  ]
}

function continues(streamed: string, input: string): boolean {
  if (input.startsWith(streamed)) return true
  const [one, other] = [rewritten(streamed), rewritten(input)]
  return one !== undefined && one === other
}

function rewritten(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}

function otherInput({ toolName, toolCallId }: CompleteCall): LlmError {
  return new LlmError(
    'INCOMPLETE_STREAM',
    `expected the call ${JSON.stringify(toolCallId)} of ${JSON.stringify(toolName)} to be what was streamed of it, ` +
      'found another name or input: nothing of the answer is used',
  )
}
