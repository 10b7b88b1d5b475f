import { type JsonSchemaNode } from './json-schema-node.js'
import { type JsonValue } from './json.js'
import { JsonSchemaError } from './schema-error.js'
import { readSchema } from './subset.js'
import { newValidator, type Validator } from './validator.js'

const validators = new WeakMap<object, Validator<JsonValue>>()

/**
 * The validator of a schema of the subset.
 *
 * Throws {@link JsonSchemaError} with every violation for a schema outside it. A schema object is read once: compiling
 * the same object again costs nothing, and changes made to it later are not seen.
 */
export function compileSchema<T = JsonValue>(schema: JsonSchemaNode): Validator<T> {
  const isObject = typeof schema === 'object' && (schema as unknown) !== null
  const known = isObject ? validators.get(schema) : undefined
  if (known !== undefined) return known as Validator<unknown> as Validator<T>
  const validator = newValidator<T>(readSchema(schema))
  for (const source of isObject ? [schema, validator.jsonSchema] : []) {
    validators.set(source, validator as Validator<unknown> as Validator<JsonValue>)
  }
  return validator
}

/** Throws {@link JsonSchemaError} with every violation unless `schema` is in the supported subset. */
export function assertSupportedJsonSchema(schema: unknown): asserts schema is JsonSchemaNode {
  compileSchema(schema as JsonSchemaNode)
}

/** Like {@link assertSupportedJsonSchema}, and the root must be of type `object`: what tool parameters have to be. */
export function assertObjectJsonSchema(
  schema: unknown,
): asserts schema is JsonSchemaNode & { readonly type: 'object' } {
  const { jsonSchema } = compileSchema(schema as JsonSchemaNode)
  if (jsonSchema.type !== 'object')
    throw new JsonSchemaError(['"schema" must have "type": "object" at its root'])
}

/** Every violation of `value` against `schema`, in walk order, with the root called `path`. Never throws for a value. */
export function validateJsonSchemaValue(schema: JsonSchemaNode, value: unknown, path = 'value'): string[] {
  return compileSchema(schema).violations(value, { path })
}
