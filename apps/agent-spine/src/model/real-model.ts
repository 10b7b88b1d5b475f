import { fromAiSdk, type AiSdkModel, type AiSdkWarning } from '@agent-spine/ai-sdk'
import { LlmError, type ModelRequest } from '@agent-spine/model'
import { type WarningModel } from './warning-model.js'

export interface RealModelOptions {
  /** As the person named it. */
  readonly name: string
  /** What no message may repeat. */
  readonly secret: string | undefined
}

/** A provider's model, whose failures say which model it was and never hold its key, also where the provider repeats it. */
export function realModel(model: AiSdkModel, options: RealModelOptions): WarningModel {
  const listeners: ((warning: AiSdkWarning) => void)[] = []
  // What a provider does not take, it does not take in any request of a session.
  const told = new Set<string>()
  const adapted = fromAiSdk(model, {
    onWarning({ kind, message: found }) {
      const message = `${options.name}: ${printable(found, options)}`
      if (told.has(message)) return
      told.add(message)
      for (const listener of listeners) listener({ kind, message })
    },
  })
  return {
    ...adapted,
    onWarning: listener => listeners.push(listener),
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
function named(error: LlmError, options: RealModelOptions): LlmError {
  const { message, code, ...facts } = error.failure
  const answered = facts.status === undefined ? 'failed' : `answered ${facts.status}`
  return new LlmError(code, `${options.name} ${answered}: ${printable(message, options)}`, facts)
}

const longestMessage = 600

/** One line that does not hold the key. A provider may answer with a page, or with its own stack. */
function printable(text: string, { secret }: RealModelOptions): string {
  const safe = secret === undefined ? text : text.replaceAll(secret, '[the key]')
  const line = safe.trim().replace(/\s*\n\s*/g, ' ')
  return line.length > longestMessage ? `${line.slice(0, longestMessage).toWellFormed()}…` : line
}
