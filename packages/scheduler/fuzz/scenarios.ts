import fc from 'fast-check'
import { type ExecutionMode } from '../src/execution-mode.js'
import { type ChooseStimulus } from '../src/testing/play.js'
import { type Scenario, type ScriptedCall, type ScriptedStage } from '../src/testing/scenario.js'

const mode: fc.Arbitrary<ExecutionMode | 'fail'> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'parallel' } as const) },
  { weight: 3, arbitrary: fc.constantFrom('a', 'b').map(key => ({ kind: 'parallel', key }) as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'exclusive' } as const) },
  { weight: 1, arbitrary: fc.constant('fail' as const) },
)

/** Mostly the first answer: a scenario in which everything fails shows little. */
function answers<Answer extends string>(usual: Answer, ...others: Answer[]): fc.Arbitrary<Answer> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    ...others.map(other => ({ weight: 1, arbitrary: fc.constant(other) })),
  )
}

function stage<Answer extends string>(answer: fc.Arbitrary<Answer>): fc.Arbitrary<ScriptedStage<Answer>> {
  return fc.record({ answer, when: fc.constantFrom('at-once' as const, 'by-hand' as const) })
}

function call(failures: boolean): fc.Arbitrary<Omit<ScriptedCall, 'id'>> {
  const fail = failures ? (['fail'] as const) : []
  return fc.record({
    modes: fc.array(mode, { minLength: 1, maxLength: 4 }),
    started: failures ? answers<'return' | 'fail'>('return', ...fail) : fc.constant('return' as const),
    prepare: stage(
      answers<ScriptedCall['prepare']['answer']>('dispatch', 'post-result', 'final-result', ...fail),
    ),
    dispatch: stage(
      answers<ScriptedCall['dispatch']['answer']>('post-result', 'final-result', 'guess', 'guess', ...fail),
    ),
    late: answers<ScriptedCall['late']>('final-result', 'post-result', ...fail),
    abandon: answers<ScriptedCall['abandon']>('final-result', 'post-result', ...fail),
    end: stage(answers<'return' | 'fail'>('return', ...fail)),
    committed: stage(answers<'return' | 'fail'>('return', ...fail)),
    skipped: stage(answers<'return' | 'fail'>('return', ...fail)),
    tellLate: stage(answers<'return' | 'fail'>('return', ...fail)),
  })
}

/** Any batch, with or without stages that fail. */
export function scenarios(failures: boolean): fc.Arbitrary<Scenario> {
  const label = fc
    .tuple(
      fc.constantFrom('mode', 'started', 'prepare', 'dispatch', 'finalize', 'finish', 'committed'),
      fc.nat(5),
    )
    .map(([name, id]) => `${name} ${id}`)
  return fc.record({
    calls: fc
      .array(call(failures), { maxLength: 8 })
      .map(calls => calls.map((script, id) => ({ id, ...script }))),
    maxParallel: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    abortGraceMs: fc.constantFrom(0, 100, Infinity),
    abortIn: fc.option(label, { nil: undefined, freq: 8 }),
  })
}

/** Any order of what can be done from outside, for a while. */
export const choices: fc.Arbitrary<() => ChooseStimulus> = fc
  .array(fc.nat(), { maxLength: 40 })
  .map(picks => {
    return () => {
      let next = 0
      return possible => {
        const pick = picks[next++]
        return pick === undefined ? undefined : possible[pick % possible.length]
      }
    }
  })
