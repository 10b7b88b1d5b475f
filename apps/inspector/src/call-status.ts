import {
  DENIED,
  INVALID_ARGS,
  INVALID_TOOL_OUTPUT,
  RESOURCE_BUSY,
  RESULT_WITHHELD,
  TOOL_ABORTED,
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_NOT_STARTED,
  TOOL_OUTCOME_UNKNOWN,
  TOOL_TIMEOUT,
  UNKNOWN_TOOL,
} from '@agent-spine/model'

/**
 * What became of a call.
 *
 * - `done`: its body ran and answered. `failed`: it ran and its result is an error.
 * - `refused`: its body did not run, because the call itself was not acceptable.
 * - `skipped`: its body did not run, because the turn was cancelled or the process ended first.
 * - `aborted`: its body was stopped while it ran. `unknown`: nobody knows what its body did.
 * - `open`: the log holds no result.
 */
export type CallStatus = 'done' | 'failed' | 'refused' | 'skipped' | 'aborted' | 'unknown' | 'open'

interface CodeMeaning {
  readonly status: CallStatus
  readonly meaning: string
}

const meanings: Readonly<Partial<Record<string, CodeMeaning>>> = {
  [INVALID_ARGS]: {
    status: 'refused',
    meaning: 'The arguments did not fit the parameters of the tool. It did not run.',
  },
  [UNKNOWN_TOOL]: { status: 'refused', meaning: 'There is no tool of that name. Nothing ran.' },
  [DENIED]: {
    status: 'refused',
    meaning: 'A hook, a guard or the person who was asked refused the call. It did not run.',
  },
  [RESOURCE_BUSY]: {
    status: 'refused',
    meaning: 'An earlier call that was left running still held what this one needs. It did not run.',
  },
  [TOOL_ABORTED_BEFORE_DISPATCH]: {
    status: 'skipped',
    meaning: 'The turn was cancelled before the call ran. It had no effect.',
  },
  [TOOL_NOT_STARTED]: {
    status: 'skipped',
    meaning: 'The turn failed, or the process ended, before the call ran. It had no effect.',
  },
  [TOOL_ABORTED]: {
    status: 'aborted',
    meaning: 'The turn was cancelled while the call ran, and it stopped. It may have done part of its work.',
  },
  [TOOL_TIMEOUT]: {
    status: 'aborted',
    meaning: 'The call ran past its time limit and was stopped. It may have done part of its work.',
  },
  [TOOL_OUTCOME_UNKNOWN]: {
    status: 'unknown',
    meaning: 'The call was started, and nobody knows whether it completed, in part or in full.',
  },
  [INVALID_TOOL_OUTPUT]: {
    status: 'failed',
    meaning: 'The call ran, but its value does not fit what the tool promises.',
  },
  [RESULT_WITHHELD]: {
    status: 'failed',
    meaning: 'The call ran; a hook that failed afterwards withholds its output.',
  },
}

/** What a result with this code says of its call; any other code is the tool's own. */
export function statusOfCode(code: string | undefined): CallStatus {
  return meanings[code ?? '']?.status ?? 'failed'
}

/** What a status and a code say of their call, in a sentence. */
export function explainStatus(status: CallStatus, code: string | undefined): string {
  const known = meanings[code ?? '']?.meaning
  if (known !== undefined) return known
  switch (status) {
    case 'done':
      return 'The call ran and answered.'
    case 'open':
      return 'The log ends before a result of this call: it is running, or the process was killed.'
    default:
      return 'The call ran, and its result is an error of the tool.'
  }
}

/** Whether a person should look at such a call. */
export function isProblem(status: CallStatus): boolean {
  return status !== 'done'
}
