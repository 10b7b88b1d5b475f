import { type LanguageModel } from '@agent-spine/model'
import { usageError } from '../command-error.js'
import { scriptedModel } from './scripted-model.js'

export const defaultModel = 'scripted'

/** The model that `--model` names. */
export function selectModel(name: string): LanguageModel {
  if (name === defaultModel) return scriptedModel()
  throw usageError(
    `expected the name of a model, found ${JSON.stringify(name)}`,
    `use --model ${defaultModel}, or leave it out`,
  )
}
