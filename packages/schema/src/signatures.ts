import { HarnessError } from './errors.js'
import { type ExactParameterSpec, type ExactValueSpec, type InferArgs, type InferValue } from './infer.js'
import { type JsonSchemaNode } from './json-schema-node.js'
import { type JsonValue } from './json.js'
import { type ParameterSchemaSpec, type ValueSchemaSpec } from './spec.js'
import { type Validator } from './validator.js'

/** An integer literal that a double would round in silence. */
export interface UnsafeInteger {
  readonly path: readonly (string | number)[]
  readonly text: string
}
export type JsonParseResult =
  | { readonly ok: true; readonly value: JsonValue; readonly unsafeIntegers: readonly UnsafeInteger[] }
  | { readonly ok: false; readonly message: string; readonly offset: number; readonly line: number; readonly column: number }

export declare function isLosslessJson(value: unknown): value is JsonValue
export declare function snapshotJson(value: unknown): JsonValue
export declare function parseJson(text: string): JsonParseResult
export declare function defineParameters<const S extends ParameterSchemaSpec>(
  spec: S & ExactParameterSpec<S>,
  options?: { readonly closed?: boolean },
): Validator<InferArgs<S>>
export declare function defineValue<const S extends ValueSchemaSpec>(spec: S & ExactValueSpec<S>): Validator<InferValue<S>>
export declare function compileSchema<T = JsonValue>(schema: JsonSchemaNode): Validator<T>
export declare function parameterSchemaSpecToJsonSchema(
  spec: ParameterSchemaSpec,
  options?: { readonly closed?: boolean },
): JsonSchemaNode
export declare function valueSchemaSpecToJsonSchema(spec: ValueSchemaSpec): JsonSchemaNode
export declare function assertSupportedJsonSchema(schema: unknown): asserts schema is JsonSchemaNode
export declare function assertObjectJsonSchema(schema: unknown): asserts schema is JsonSchemaNode & { readonly type: 'object' }
export declare function validateJsonSchemaValue(schema: JsonSchemaNode, value: unknown, path?: string): string[]
export declare class JsonSchemaError extends HarnessError {
  readonly violations: readonly string[]
}
