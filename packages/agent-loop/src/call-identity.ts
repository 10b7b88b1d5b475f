import type { AssistantBlock, ToolCallBlock } from '@agent-spine/model'
import type { Session, StepScope } from '@agent-spine/session'
import { followLog } from './log-cursor.js'

const acceptable = /^[A-Za-z0-9_-]{1,64}$/

/** Gives every call of a session an id that all providers accept and that no other call has. */
export interface CallIdentity {
  /**
   * The blocks with their calls named: a provider's id is kept unless it is empty, outside `[A-Za-z0-9_-]{1,64}`, or
   * used before; then the call is `call_<turn>_<step>_<index>`, and the provider's id stays in `providerId`.
   */
  identify(blocks: readonly AssistantBlock[], scope: StepScope): readonly AssistantBlock[]
}

export function callIdentity(session: Session): CallIdentity {
  const used = new Set<string>()
  const readOn = followLog(session, event => {
    if (event.type !== 'assistant/message') return
    for (const block of event.data.message.content) if (block.type === 'tool-call') used.add(block.id)
  })
  readOn()
  return {
    identify(blocks, scope) {
      readOn()
      return identifyCalls(blocks, scope, used)
    },
  }
}

function identifyCalls(
  blocks: readonly AssistantBlock[],
  { turn, step }: StepScope,
  used: ReadonlySet<string>,
): readonly AssistantBlock[] {
  const taken = new Set<string>()
  const isFree = (id: string): boolean => !used.has(id) && !taken.has(id)
  // Good ids first, so that a made-up one never takes the id that a later call of this answer brought along.
  const kept = new Set<ToolCallBlock>()
  for (const block of blocks) {
    if (block.type !== 'tool-call' || !acceptable.test(block.id) || !isFree(block.id)) continue
    taken.add(block.id)
    kept.add(block)
  }
  let index = -1
  return blocks.map(block => {
    if (block.type !== 'tool-call') return block
    index++
    if (kept.has(block)) return block
    const id = freeId(`call_${turn}_${step}_${index}`, isFree)
    taken.add(id)
    return { ...block, id, ...(block.id !== '' && { providerId: block.id }) }
  })
}

function freeId(base: string, isFree: (id: string) => boolean): string {
  for (let suffix = 1; ; suffix++) {
    const id = suffix === 1 ? base : `${base}_${suffix}`
    if (isFree(id)) return id
  }
}
