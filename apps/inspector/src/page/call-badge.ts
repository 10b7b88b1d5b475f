import type { CallStatus } from '../call-status.js'
import { element } from './element.js'

/** A mark for each outcome, so that colour is never the only sign. */
export const statusMarks: Readonly<Record<CallStatus, string>> = {
  done: '✓',
  failed: '✕',
  refused: '⊘',
  skipped: '↷',
  aborted: '■',
  unknown: '?',
  open: '…',
}

/** The outcome of a call in words: the status, and the code where there is one. */
export function callBadge(status: CallStatus, code: string | undefined): HTMLElement {
  return element(
    'span',
    { class: `badge status-${status}` },
    `${statusMarks[status]} ${status}`,
    code !== undefined && element('code', { text: code }),
  )
}
