import { type JsonSchemaNode } from './json-schema-node.js'
import { type StandardProps } from './standard-schema.js'

/** One thing that is wrong with a value. `message` is rendered when it is read. */
export interface Violation {
  /** Property names and array indices from the root. */
  readonly path: readonly (string | number)[]
  /** The same as a JSON Pointer (RFC 6901); `''` is the root. */
  readonly pointer: string
  /** The keyword that was not met, or `json` for a value that is not lossless JSON. */
  readonly keyword: ViolationKeyword
  /** What the schema wants there, for example `an integer`. */
  readonly expected: string
  /** What was there, for example `string "10"`; at most 40 characters of the value. */
  readonly received: string
  /** Both as one sentence, with the root called `arguments`. */
  readonly message: string
}

/** The keyword a {@link Violation} is about. */
export type ViolationKeyword =
  | 'type'
  | 'enum'
  | 'const'
  | 'required'
  | 'additionalProperties'
  | 'oneOf'
  | 'json'

/** How a value is checked. */
export interface CheckOptions {
  /**
   * The value came out of `JSON.parse` or `parseJson` and was not touched since: what parsing guarantees (plain, dense,
   * acyclic, own enumerable properties, no `NaN`) is not checked again.
   */
  readonly parsed?: boolean
  /** How many values a tree may hold before it is refused; bounds endless generated trees. Default 10 000 000. */
  readonly maxNodes?: number
}

/** How violations are rendered. */
export interface ViolationOptions extends CheckOptions {
  /** What the root is called; `''` (the default) prints the root as `arguments` and a property by its bare name. */
  readonly path?: string
  /** How many violations are rendered before `and N more`. Default: all. */
  readonly limit?: number
}

/** What {@link Validator.parse} answers. */
export type ParseOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      /** Every violation in at most 2 KB, written for the model that sent the text. */
      readonly text: string
      readonly violations: readonly string[]
      readonly issues: readonly Violation[]
    }

/** A schema, compiled. */
export interface Validator<T> {
  /** The schema as deeply frozen JSON Schema. */
  readonly jsonSchema: JsonSchemaNode
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
