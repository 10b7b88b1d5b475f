import { compileSchema } from './compile-schema.js'
import {
  type ParameterOptions,
  parameterSchemaSpecToJsonSchema,
  valueSchemaSpecToJsonSchema,
} from './compile-spec.js'
import { type ExactParameterSpec, type ExactValueSpec, type InferArgs, type InferValue } from './infer.js'
import { type ParameterSchemaSpec, type ValueSchemaSpec } from './spec.js'
import { type Validator } from './validator.js'

/**
 * The validator of a tool's parameters. Its type is inferred; a misspelt or misplaced keyword does not compile.
 *
 * Throws `JsonSchemaError` with every violation for a spec that got past the type system.
 */
export function defineParameters<const S extends ParameterSchemaSpec>(
  spec: S & ExactParameterSpec<S>,
  options: ParameterOptions = {},
): Validator<InferArgs<S>> {
  return compileSchema<InferArgs<S>>(parameterSchemaSpecToJsonSchema(spec, options))
}

/** The validator of any JSON value. Like {@link defineParameters}, for one node of the DSL. */
export function defineValue<const S extends ValueSchemaSpec>(
  spec: S & ExactValueSpec<S>,
): Validator<InferValue<S>> {
  return compileSchema<InferValue<S>>(valueSchemaSpecToJsonSchema(spec))
}
