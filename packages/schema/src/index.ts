export {
  assertObjectJsonSchema,
  assertSupportedJsonSchema,
  compileSchema,
  validateJsonSchemaValue,
} from './compile-schema.js'
export {
  type ParameterOptions,
  parameterSchemaSpecToJsonSchema,
  valueSchemaSpecToJsonSchema,
} from './compile-spec.js'
export { defineParameters, defineValue } from './define.js'
export { exportProblems, type SchemaProvider } from './export-problems.js'
export { HarnessError, type HarnessErrorOptions } from './errors.js'
export { importJsonSchema, type ImportedSchema, type ImportOptions } from './import-json-schema.js'
export type { SchemaChange } from './import/reader.js'
export type { ExactParameterSpec, ExactValueSpec, InferArgs, InferValue } from './infer.js'
export { isLosslessJson } from './is-lossless-json.js'
export type { JsonSchemaNode, JsonTypeName } from './json-schema-node.js'
export type { JsonObject, JsonValue } from './json.js'
export type { CheckOptions } from './limits.js'
export { type JsonParseResult, parseJson, type UnsafeInteger } from './parse-json.js'
export type { ParseOutcome } from './parse-value.js'
export { JsonSchemaError } from './schema-error.js'
export { snapshotJson, type SnapshotOptions } from './snapshot-json.js'
export type { ParameterSchemaSpec, PropertySpec, ValueSchemaSpec } from './spec.js'
export type {
  StandardIssue,
  StandardJsonSchemaOptions,
  StandardProps,
  StandardResult,
} from './standard-schema.js'
export type { Validator, ViolationOptions } from './validator.js'
export type { Violation, ViolationKeyword } from './violation.js'
