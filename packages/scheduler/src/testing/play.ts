import { type StagedScheduler, runByHand } from './hand-driven.js'
import { createReferenceModel } from './reference-model.js'
import { type Scenario, type Stimulus, type View } from './scenario.js'

/** Chooses what to do next of what can be done, or ends the play. */
export type ChooseStimulus = (possible: readonly Stimulus[], view: View) => Stimulus | undefined

/**
 * Plays a scenario on a scheduler and on the reference model, side by side, and compares all that can be seen after
 * every stimulus. When `choose` ends, everything that is pending is settled in order, so that the run ends too.
 * Throws at the first difference; otherwise answers what was seen at the end.
 */
export async function playScenario(
  scheduler: StagedScheduler,
  scenario: Scenario,
  choose: ChooseStimulus = () => undefined,
): Promise<View> {
  const model = createReferenceModel(scenario)
  const real = await runByHand(scheduler, scenario)
  const applied: Stimulus[] = []
  compare(applied, model.view(), real.view())
  for (;;) {
    const stimulus = choose(model.stimuli(), model.view()) ?? model.view().pending[0]
    if (stimulus === undefined) return real.view()
    applied.push(stimulus)
    model.apply(stimulus)
    await real.apply(stimulus)
    compare(applied, model.view(), real.view())
  }
}

/** A choice that follows a list, then ends. */
export function inOrder(stimuli: readonly Stimulus[]): ChooseStimulus {
  let next = 0
  return () => stimuli[next++]
}

function compare(applied: readonly Stimulus[], expected: View, found: View): void {
  for (const aspect of Object.keys(expected) as (keyof View)[]) {
    const want = JSON.stringify(expected[aspect])
    const have = JSON.stringify(found[aspect])
    if (want === have) continue
    const after = applied.length === 0 ? 'the start' : applied.join(', ')
    throw new Error(`After ${after}, "${aspect}" must be\n  ${want}\nbut is\n  ${have}`)
  }
}
