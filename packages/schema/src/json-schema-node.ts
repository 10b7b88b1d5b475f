import { type JsonValue } from './json.js'

/** The name of one JSON type, as the `type` keyword spells it. */
export type JsonTypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'

/**
 * One node of the enforced JSON Schema subset: what `compileSchema` accepts and what every validator's `jsonSchema` is.
 *
 * A node with neither `type` nor `oneOf` accepts any lossless JSON value.
 */
export interface JsonSchemaNode {
  readonly type?: JsonTypeName
  readonly properties?: { readonly [name: string]: JsonSchemaNode }
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: JsonSchemaNode
  readonly enum?: readonly JsonValue[]
  readonly const?: JsonValue
  readonly oneOf?: readonly JsonSchemaNode[]
  readonly description?: string
  readonly title?: string
  readonly default?: JsonValue
  readonly examples?: readonly JsonValue[]
}
