import { type JsonObject, type JsonValue, snapshotJson, type Validator } from '@agent-spine/schema'
import { cutEnd } from './content.js'
import { maxViolations } from './errors.js'
import { type CheckedArguments } from './tool.js'

const maxViolationBytes = 400

/**
 * Turns a validator into the check that stands before every body: on a frozen copy, so that what was checked is what
 * runs, and once for each copy, however often it is asked.
 */
export function argumentCheck(validator: Validator<unknown>): (args: unknown) => CheckedArguments {
  const verdicts = new WeakMap<object, CheckedArguments>()

  function violationsOf(args: unknown): readonly string[] {
    const violations = validator.violations(args, { limit: maxViolations })
    return violations.map(violation => cutEnd(violation, maxViolationBytes))
  }

  function judge(copy: JsonValue): CheckedArguments {
    return validator.check(copy) ? { args: copy as JsonObject } : { violations: violationsOf(copy) }
  }

  function refuse(args: unknown): CheckedArguments {
    const violations = violationsOf(args)
    return { violations: violations.length > 0 ? violations : ['the arguments cannot be read as JSON'] }
  }

  return args => {
    const copy = detached(args)
    if (copy === undefined) return refuse(args)
    if (typeof copy !== 'object' || copy === null) return judge(copy)
    const known = verdicts.get(copy)
    if (known !== undefined) return known
    const verdict = judge(copy)
    verdicts.set(copy, verdict)
    return verdict
  }
}

/** `undefined` for what is not JSON; a copy that was made before is answered as it is. */
function detached(args: unknown): JsonValue | undefined {
  try {
    return snapshotJson(args)
  } catch {
    return undefined
  }
}
