export { HarnessError, type HarnessErrorOptions } from './errors.js'
export type { ExactParameterSpec, ExactValueSpec, InferArgs, InferValue } from './infer.js'
export type { JsonSchemaNode, JsonTypeName } from './json-schema-node.js'
export type { JsonObject, JsonValue } from './json.js'
export {
  assertObjectJsonSchema,
  assertSupportedJsonSchema,
  compileSchema,
  defineParameters,
  defineValue,
  isLosslessJson,
  JsonSchemaError,
  type JsonParseResult,
  parameterSchemaSpecToJsonSchema,
  parseJson,
  snapshotJson,
  type UnsafeInteger,
  validateJsonSchemaValue,
  valueSchemaSpecToJsonSchema,
} from './signatures.js'
export type { ParameterSchemaSpec, PropertySpec, ValueSchemaSpec } from './spec.js'
export type { StandardIssue, StandardJsonSchemaOptions, StandardProps, StandardResult } from './standard-schema.js'
export type {
  CheckOptions,
  ParseOutcome,
  Validator,
  Violation,
  ViolationKeyword,
  ViolationOptions,
} from './validator.js'
