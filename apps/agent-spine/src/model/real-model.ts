import { fromAiSdk, type AiSdkModel } from '@agent-spine/ai-sdk'
import { LlmError, type LanguageModel, type ModelRequest } from '@agent-spine/model'

export interface RealModelOptions {
  /** As the person named it. */
  readonly name: string
  /** What no message may repeat. */
  readonly secret: string | undefined
}

/** A provider's model, whose failures say which model it was and never hold its key, also where the provider repeats it. */
export function realModel(model: AiSdkModel, options: RealModelOptions): LanguageModel {
  const adapted = fromAiSdk(model)
  return {
    ...adapted,
    async *stream(request: ModelRequest) {
      try {
        yield* adapted.stream(request)
      } catch (error) {
        throw LlmError.is(error) && error.code !== 'ABORTED' ? named(error, options) : error
      }
    },
  }
}

/** Without the cause, which holds the answer of the provider as it came. */
function named(error: LlmError, { name, secret }: RealModelOptions): LlmError {
  const { message, code, ...facts } = error.failure
  const found = secret === undefined ? message : message.replaceAll(secret, '[the key]')
  const answered = facts.status === undefined ? 'failed' : `answered ${facts.status}`
  return new LlmError(code, `${name} ${answered}: ${found}`, facts)
}
