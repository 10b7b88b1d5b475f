import type { SdkWarning } from './stream-part.js'

/** Something that a provider did not take, or that has no place in an answer. The call goes on. */
export interface AiSdkWarning {
  readonly kind: 'unsupported' | 'left-out' | 'other'
  readonly message: string
}

/** A warning of the AI SDK, whose forms differ from version to version. */
export function readWarning({ type, setting, feature, details, message }: SdkWarning): AiSdkWarning {
  const what = feature ?? (typeof setting === 'string' ? setting : type)
  const text = message ?? (details === undefined ? what : `${what}: ${details}`)
  return { kind: type.startsWith('unsupported') ? 'unsupported' : 'other', message: text }
}

/** Says what of an answer has no place in a message of ours. */
export function leftOut(what: string): AiSdkWarning {
  return { kind: 'left-out', message: `${what} was left out of the answer` }
}
