import { HarnessError } from './errors.js'

/** A schema or spec that is outside what this package enforces, with everything that is wrong with it. */
export class JsonSchemaError extends HarnessError {
  /** One sentence for each place. */
  readonly violations: readonly string[]

  constructor(violations: readonly string[]) {
    const more = violations.length > 20 ? `; and ${violations.length - 20} more` : ''
    super('UNSUPPORTED_SCHEMA', `unsupported schema: ${violations.slice(0, 20).join('; ')}${more}`)
    this.name = 'JsonSchemaError'
    this.violations = violations
  }
}
