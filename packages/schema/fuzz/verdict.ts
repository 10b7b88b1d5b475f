import { type CheckOptions, type Validator } from '../src/index.js'

/** What all three ways of asking answer. Throws when they differ, or when one of them throws. */
export function verdictOf(validator: Validator<unknown>, value: unknown, options?: CheckOptions): boolean {
  const verdict = validator.check(value, options)
  const issues = validator.issues(value, options)
  if ((issues.length === 0) !== verdict) throw new Error(`check says ${verdict}, issues has ${issues.length}`)
  const violations = validator.violations(value, options)
  if ((violations.length === 0) !== verdict) {
    throw new Error(`check says ${verdict}, violations has ${violations.length}`)
  }
  return verdict
}

/** Asks in all three ways where the value may answer differently each time. Throws when one of them throws. */
export function survive(validator: Validator<unknown>, value: unknown, options?: CheckOptions): void {
  const answers: unknown[] = [
    validator.check(value, options),
    validator.issues(value, options).map(issue => issue.message),
    validator.violations(value, options),
  ]
  if (typeof answers[0] !== 'boolean') throw new Error(`expected a verdict, found ${String(answers[0])}`)
}
