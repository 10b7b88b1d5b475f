export {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedModel,
  type ScriptedParts,
} from './scripted-model.js'
