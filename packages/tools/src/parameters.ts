import {
  assertObjectJsonSchema,
  compileSchema,
  defineParameters,
  type ExactParameterSpec,
  importJsonSchema,
  type ImportOptions,
  type InferArgs,
  type JsonObject,
  type ParameterSchemaSpec,
  type SchemaChange,
  type Validator,
} from '@agent-spine/schema'
import { ownCheck, type OwnCheck } from './own-check.js'

/**
 * A schema of another library: Standard Schema with Standard JSON Schema (standardschema.dev, version 1), as zod,
 * valibot and arktype implement them.
 */
export interface StandardSchema<Input = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined
    /** Says whether arguments fit, at once or with a promise; what else it makes of them is not used. */
    readonly validate?: (value: unknown) => unknown
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

/** A foreign schema, made enforceable. */
export interface ImportedParameters<Args = JsonObject> {
  readonly validator: Validator<Args>
  /** What had to be changed: rules that are described to the model and not enforced, for example. */
  readonly changes: readonly SchemaChange[]
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
 * reported as `changes`; nothing is dropped in silence. With `lossy`, more schemas are taken, and more is reported.
 *
 * @throws HarnessError `UNSUPPORTED_SCHEMA` with every path that cannot be imported.
 */
export function fromJsonSchema<Args = JsonObject>(
  schema: Readonly<Record<string, unknown>>,
  options: ImportOptions = {},
): ImportedParameters<Args> {
  const imported = importJsonSchema(schema, options)
  assertObjectJsonSchema(imported.schema)
  return { validator: compileSchema<Args>(imported.schema), changes: imported.changes }
}

/** What enforces a tool's parameters. */
export interface EnforcedParameters extends ImportedParameters<unknown> {
  /** What the schema's own library has to say where our validator accepts: refinements, for example. */
  readonly ownCheck?: OwnCheck
}

/** Turns any of the ways to describe arguments into what enforces them. */
export function readParameters(input: ParametersInput, closed: boolean): EnforcedParameters {
  if (isImported(input)) return input
  if (isValidator(input)) {
    assertObjectJsonSchema(input.jsonSchema)
    return { validator: input, changes: [] }
  }
  if (isStandardSchema(input)) {
    const { jsonSchema, validate } = input['~standard']
    return {
      ...fromJsonSchema<unknown>(plain(jsonSchema.input({ target: 'draft-2020-12' }))),
      ...(validate !== undefined && { ownCheck: ownCheck(value => input['~standard'].validate?.(value)) }),
    }
  }
  return { validator: defineParameters<ParameterSchemaSpec>(input, { closed }), changes: [] }
}

/** The schema that a library means is the JSON of what it answers: zod adds hidden properties of its own. */
function plain(schema: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>
}

// A spec may declare properties of any name, `validator` and `~standard` among them; their values are plain nodes.

function isImported(input: ParametersInput): input is ImportedParameters<unknown> {
  return 'validator' in input && isValidator(input.validator as ParametersInput)
}

function isValidator(input: ParametersInput): input is Validator<unknown> {
  return 'violations' in input && typeof input.violations === 'function'
}

function isStandardSchema(input: ParametersInput): input is StandardSchema {
  const standard = (input as Partial<StandardSchema>)['~standard']
  return standard?.version === 1 && typeof standard.jsonSchema.input === 'function'
}
