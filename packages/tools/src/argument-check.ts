import { type JsonObject, type JsonValue, snapshotJson, type Validator } from '@agent-spine/schema'
import { cutEnd } from './content.js'
import { maxViolations } from './errors.js'
import { type OwnCheck } from './own-check.js'
import { isThenable } from './thenable.js'
import { type CheckedArguments } from './tool.js'

const maxViolationBytes = 400

/**
 * Turns a validator into the check that stands before every body: on a frozen copy, so that what was checked is what
 * runs, and once for each copy, however often it is asked. `ownCheck` is asked about what the validator accepts.
 */
export function argumentCheck(
  validator: Validator<unknown>,
  ownCheck?: OwnCheck,
): (args: unknown) => CheckedArguments {
  const verdicts = new WeakMap<object, KnownVerdict>()

  function violationsOf(args: unknown): readonly string[] {
    return bounded(validator.violations(args, { limit: maxViolations }))
  }

  function judge(copy: JsonValue): CheckedArguments {
    if (!validator.check(copy)) return { violations: violationsOf(copy) }
    const args = copy as JsonObject
    const found = ownCheck?.(args) ?? []
    if (!isThenable(found)) return verdictOn(args, found)
    const decided = Promise.resolve(found).then(violations => {
      const verdict = verdictOn(args, violations)
      remember(args, verdict)
      return verdict
    })
    return { violations: ["the tool's own check of the arguments has not decided yet"], decided }
  }

  function remember(copy: object, verdict: CheckedArguments): void {
    verdicts.set(copy, verdict.violations ? verdict : fits)
  }

  function refuse(args: unknown): CheckedArguments {
    const violations = violationsOf(args)
    return { violations: violations.length > 0 ? violations : ['the arguments cannot be read as JSON'] }
  }

  function knownVerdict(copy: object): CheckedArguments | undefined {
    const known = verdicts.get(copy)
    return known === fits ? { args: copy as JsonObject } : known
  }

  return args => {
    // Only copies of our own are remembered, so what is known here need not be copied again.
    const seen = typeof args === 'object' && args !== null ? knownVerdict(args) : undefined
    if (seen !== undefined) return seen
    const copy = detached(args)
    if (copy === undefined) return refuse(args)
    if (typeof copy !== 'object' || copy === null) return judge(copy)
    const known = copy === args ? undefined : knownVerdict(copy)
    if (known !== undefined) return known
    const verdict = judge(copy)
    remember(copy, verdict)
    return verdict
  }
}

/**
 * Not the verdict itself where arguments fit: it would lead from the value of a weak map back to its key, and a
 * collector of young objects then keeps both, at ten times the cost of the check.
 */
const fits = Symbol('fits')

type KnownVerdict = typeof fits | CheckedArguments

function verdictOn(args: JsonObject, violations: readonly string[]): CheckedArguments {
  return violations.length === 0 ? { args } : { violations: bounded(violations) }
}

function bounded(violations: readonly string[]): readonly string[] {
  return violations.map(violation => cutEnd(violation, maxViolationBytes))
}

/** `undefined` for what is not JSON; a copy that was made before is answered as it is. */
function detached(args: unknown): JsonValue | undefined {
  try {
    return snapshotJson(args)
  } catch {
    return undefined
  }
}
