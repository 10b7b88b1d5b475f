import { TOOL_ABORTED_BEFORE_DISPATCH, TOOL_NOT_STARTED, TOOL_OUTCOME_UNKNOWN } from '@agent-spine/model'
import type { CallSpan } from './call-spans.js'
import { explainStatus } from './call-status.js'
import type { RepairOutlook } from './repair-outlook.js'

/** Why a call is what it is: what the log proves, and for an open call what repair would say. */
export function explainCall(call: CallSpan): string {
  const { status, code, ifRepaired } = call
  if (status !== 'open' || ifRepaired === undefined) return explainStatus(status, code)
  return `${proven(call, ifRepaired)} ${ending(ifRepaired)} ${closing(ifRepaired)}`
}

function proven({ isStarted, dispatched }: CallSpan, { code }: RepairOutlook): string {
  if (code === undefined) return 'Its body ended and told its outcome, but no result was committed.'
  if (code === TOOL_ABORTED_BEFORE_DISPATCH) return 'It was cancelled before it ran, so it had no effect.'
  if (code === TOOL_NOT_STARTED) {
    return isStarted
      ? 'It was prepared, and its body has not begun, so it has had no effect.'
      : 'The model asked for this call, and it has not started, so it has had no effect.'
  }
  if (!isStarted) {
    return 'The log holds no start of this call, but a part of the log was lost, so it may have run nevertheless.'
  }
  return dispatched === undefined
    ? 'It was started, and the log does not tell whether its body began.'
    : 'Its body began, and the log holds no end of it.'
}

function ending({ ended }: RepairOutlook): string {
  switch (ended) {
    case 'turn':
      return 'Its turn is over, so nothing will go on with it.'
    case 'process':
      return 'Its process has ended: another one took the session over.'
    default:
      return 'The log ends here because the process died, or it still runs.'
  }
}

function closing({ code, ended }: RepairOutlook): string {
  const subject = ended === undefined ? 'If it died, repair or resume will' : 'Repair or resume will'
  return code === undefined
    ? `${subject} make that outcome its result.`
    : `${subject} close it as ${closedAs(code)}.`
}

function closedAs(code: string): string {
  const words: Readonly<Partial<Record<string, string>>> = {
    [TOOL_NOT_STARTED]: 'not started',
    [TOOL_ABORTED_BEFORE_DISPATCH]: 'cancelled before it ran',
    [TOOL_OUTCOME_UNKNOWN]: 'a call of unknown outcome',
  }
  return `${words[code] ?? 'failed'} (${code})`
}
