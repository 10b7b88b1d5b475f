import { type JsonValue } from './json.js'

/** What any node may say about itself; it never changes what the node accepts. */
export interface SpecAnnotations {
  readonly description?: string
  readonly title?: string
  readonly default?: JsonValue
  readonly examples?: readonly JsonValue[]
}

/** A string, or with `enum` or `const` one of these strings. */
export interface StringSpec extends SpecAnnotations {
  readonly type: 'string'
  readonly enum?: readonly string[]
  readonly const?: string
}

/** A finite number (`number`), or one without a fraction (`integer`). */
export interface NumberSpec extends SpecAnnotations {
  readonly type: 'number' | 'integer'
  readonly enum?: readonly number[]
  readonly const?: number
}

/** `true` or `false`. */
export interface BooleanSpec extends SpecAnnotations {
  readonly type: 'boolean'
  readonly enum?: readonly boolean[]
  readonly const?: boolean
}

/** The value `null`. */
export interface NullSpec extends SpecAnnotations {
  readonly type: 'null'
  readonly enum?: readonly null[]
  readonly const?: null
}

/** An array; without `items`, of any JSON values. */
export interface ArraySpec extends SpecAnnotations {
  readonly type: 'array'
  readonly items?: ValueSchemaSpec
}

/** A nested object, which must say whether it takes undeclared properties. */
export interface ObjectSpec extends SpecAnnotations {
  readonly type: 'object'
  readonly properties?: ParameterSchemaSpec
  readonly additionalProperties: boolean
}

/** Any lossless JSON value. */
export interface AnyJsonSpec extends SpecAnnotations {
  readonly type: 'json'
}

/** A value that exactly one of two or more branches accepts. */
export interface OneOfSpec extends SpecAnnotations {
  readonly oneOf: readonly ValueSchemaSpec[]
}

/** One node of the author DSL: describes any JSON value. */
export type ValueSchemaSpec =
  StringSpec | NumberSpec | BooleanSpec | NullSpec | ArraySpec | ObjectSpec | AnyJsonSpec | OneOfSpec

/** A node of the author DSL as the property of an object, which may be `required`. */
export type PropertySpec = ValueSchemaSpec & { readonly required?: boolean }

/** The properties of an object; at the root of a tool's parameters, of an implicit open object. */
export interface ParameterSchemaSpec {
  readonly [name: string]: PropertySpec
}
