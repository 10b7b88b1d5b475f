import {
  type ExactParameterSpec,
  type InferArgs,
  type JsonObject,
  type JsonSchemaNode,
  type ParameterSchemaSpec,
  type Validator,
} from '@agent-spine/schema'

/**
 * A schema of another library: Standard Schema with Standard JSON Schema (standardschema.dev, version 1), as zod,
 * valibot and arktype implement them.
 */
export interface StandardSchema<Input = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

/** A foreign JSON Schema, made enforceable. `changes` says what had to be changed. */
export interface ImportedParameters<Args = JsonObject> {
  readonly validator: Validator<Args>
  readonly changes: readonly string[]
}

/** The ways to say what arguments a tool takes. */
export type ParametersInput =
  ParameterSchemaSpec | Validator<unknown> | StandardSchema | ImportedParameters<unknown>

/** The type of the arguments that `Input` accepts. */
export type ArgsOf<Input> = Input extends { readonly validator: Validator<infer Args> }
  ? Args
  : Input extends { readonly '~standard': { readonly types?: infer Types } }
    ? NonNullable<Types> extends { readonly input: infer Args }
      ? Args
      : JsonObject
    : Input extends ParameterSchemaSpec
      ? InferArgs<Input>
      : never

/** `Input` with every misspelt keyword of a spec typed `never`. */
export type ExactParameters<Input> = Input extends
  { readonly '~standard': unknown } | { readonly validator: Validator<unknown> }
  ? Input
  : ExactParameterSpec<Input>

/**
 * Takes a JSON Schema that somebody else wrote. What the enforced subset cannot hold is moved into descriptions and
 * reported as `changes`; nothing is dropped in silence.
 *
 * @throws HarnessError `UNSUPPORTED_SCHEMA` with every path that cannot be imported.
 */
export declare function fromJsonSchema<Args = JsonObject>(
  schema: JsonSchemaNode | Readonly<Record<string, unknown>>,
  options?: { readonly lossy?: boolean },
): ImportedParameters<Args>
