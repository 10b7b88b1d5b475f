import { type LlmErrorCode, type LlmFailure } from '@agent-spine/model'

const goOn = 'nothing is lost: go on with "agent-spine resume"'

const hints: Readonly<Partial<Record<LlmErrorCode, string>>> = {
  AUTH: 'check that the key is valid, has credit left and may use this model; "agent-spine run --model list" names its variable',
  RATE_LIMITED: `wait a while; ${goOn}`,
  OVERLOADED: `the provider has trouble; wait a while; ${goOn}`,
  TRANSPORT: `check the network, and --base-url if you gave one; ${goOn}`,
  INCOMPLETE_STREAM: `the answer broke off or was malformed; ${goOn}; of a server of your own, check that it streams the format of that provider`,
  CONTEXT_OVERFLOW: 'start a new session, or resume with --model and one that takes longer conversations',
  INVALID_REQUEST:
    'the provider refuses the request, and says why; another model may take it: resume with --model',
}

/** What a person can do about a model call that failed for good. */
export function modelFailureHint({ code, status }: LlmFailure): string | undefined {
  if (status === 404)
    return 'check the name of the model, and --base-url if you gave one; resume with --model and the right one'
  return hints[code]
}
