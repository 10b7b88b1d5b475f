import { HarnessError, snapshotJson } from '@agent-spine/schema'
import { isResultContent, wellFormed } from './content.js'
import { type ContextMessage } from './tool.js'

/** A frozen copy of a message for the next step. @throws HarnessError `INVALID_CONTEXT` */
export function readContextMessage(message: unknown): ContextMessage {
  if (typeof message === 'string') return wellFormed(message)
  try {
    const copy: unknown = snapshotJson(message)
    if (isResultContent(copy)) return copy
  } catch (cause) {
    throw invalidContext(cause)
  }
  throw invalidContext()
}

function invalidContext(cause?: unknown): HarnessError {
  return new HarnessError(
    'INVALID_CONTEXT',
    'a context must be a string, or a list of text and image blocks',
    cause === undefined ? {} : { cause },
  )
}
