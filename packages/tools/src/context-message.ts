import { HarnessError, snapshotJson } from '@agent-spine/schema'
import { isResultContent, wellFormed } from './content.js'
import { type ContextMessage } from './tool.js'
import { wellFormedJson } from './well-formed-json.js'

/**
 * A frozen copy of a message for the next step; `undefined` where there is nothing to read, because providers refuse
 * empty text.
 *
 * @throws HarnessError `INVALID_CONTEXT`
 */
export function readContextMessage(message: unknown): ContextMessage | undefined {
  if (typeof message === 'string') return message.trim() === '' ? undefined : wellFormed(message)
  const blocks = readBlocks(message).filter(block => block.type === 'image' || block.text.trim() !== '')
  return blocks.length > 0 ? Object.freeze(blocks) : undefined
}

function readBlocks(message: unknown): Exclude<ContextMessage, string> {
  try {
    const copy: unknown = wellFormedJson(snapshotJson(message))
    if (isResultContent(copy)) return copy
  } catch (cause) {
    throw invalidContext({ cause })
  }
  throw invalidContext()
}

function invalidContext(options?: { readonly cause: unknown }): HarnessError {
  return new HarnessError(
    'INVALID_CONTEXT',
    'a context must be a string, or a list of text and image blocks',
    options,
  )
}
