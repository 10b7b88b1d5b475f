import { choiceWarnings } from './choice-warnings.js'
import { type JsonSchemaNode } from './json-schema-node.js'
import { type CheckOptions } from './limits.js'
import { type CompiledNode } from './node.js'
import { type ParseOutcome, parseValue } from './parse-value.js'
import { standardProps, type StandardProps } from './standard-schema.js'
import { type PrintOptions, printProblems, toViolation, type Violation } from './violation.js'
import { check, collect } from './walk.js'

/** How violations are checked for and printed. */
export interface ViolationOptions extends CheckOptions, PrintOptions {}

/** A schema, compiled. */
export interface Validator<T> {
  /** The schema as deeply frozen JSON Schema. */
  readonly jsonSchema: JsonSchemaNode
  /** What is legal in the schema and cannot have been meant: `oneOf` branches that no value could tell apart. */
  readonly warnings: readonly string[]
  /** Whether `value` fits. Never throws. */
  check(value: unknown, options?: CheckOptions): value is T
  /** Everything that is wrong, in walk order, as sentences; empty when `value` fits. Never throws. */
  violations(value: unknown, options?: ViolationOptions): string[]
  /** Everything that is wrong, in walk order, as data; empty when `value` fits. Never throws. */
  issues(value: unknown, options?: CheckOptions): Violation[]
  /** Parses the text of a model's arguments and validates it; empty text is `{}` for an object schema. */
  parse(text: string): ParseOutcome<T>
  readonly '~standard': StandardProps<T>
}

/** The validator of a compiled schema. */
export function newValidator<T>(root: CompiledNode): Validator<T> {
  const validator: Validator<T> = {
    jsonSchema: root.schema,
    get warnings() {
      return choiceWarnings(root)
    },
    check: (value, options = {}): value is T => check(root, value, options),
    violations: (value, options = {}) => printProblems(collect(root, value, options), options),
    issues: (value, options = {}) => collect(root, value, options).map(toViolation),
    parse: text => parseValue<T>(root, text),
    '~standard': standardProps(() => validator),
  }
  return validator
}
