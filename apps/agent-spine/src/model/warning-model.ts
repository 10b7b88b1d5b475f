import { type AiSdkWarning } from '@agent-spine/ai-sdk'
import { type LanguageModel } from '@agent-spine/model'

/** A model that tells what its provider did not take, and what of an answer has no place in the log. */
export interface WarningModel extends LanguageModel {
  /** Tells `listener` from now on, of each warning once. */
  onWarning(listener: (warning: AiSdkWarning) => void): void
}

/** Whether a model has warnings to tell of. */
export function isWarningModel(model: LanguageModel): model is WarningModel {
  return 'onWarning' in model
}
