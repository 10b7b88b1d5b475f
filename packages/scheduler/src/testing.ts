export { conformanceCases, type ConformanceCase } from './testing/conformance.js'
export { createHandClock, type HandClock } from './testing/clock.js'
export { type HandDrivenRun, runByHand, type StagedScheduler } from './testing/hand-driven.js'
export { type ChooseStimulus, inOrder, playScenario } from './testing/play.js'
export { createReferenceModel, type ReferenceModel } from './testing/reference-model.js'
export {
  type PendingStage,
  type Scenario,
  type ScriptedCall,
  scriptedCall,
  type ScriptedStage,
  type Stimulus,
  type View,
} from './testing/scenario.js'
