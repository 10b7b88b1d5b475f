import { type JsonObject, type JsonValue } from './json.js'
import { type ParameterSchemaSpec, type PropertySpec, type ValueSchemaSpec } from './spec.js'

type Flatten<T> = { [K in keyof T]: T[K] } & {}

type RequiredNames<S> = { [K in keyof S]: S[K] extends { readonly required: true } ? K : never }[keyof S]

type InferProperties<S> = Flatten<
  { -readonly [K in RequiredNames<S>]: InferNode<S[K]> } & {
    -readonly [K in Exclude<keyof S, RequiredNames<S>>]?: InferNode<S[K]>
  }
>

interface ScalarOf {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

type InferNode<N> = N extends { readonly oneOf: readonly (infer Branch)[] }
  ? Branch extends unknown
    ? InferNode<Branch>
    : never
  : N extends { readonly type: infer Type }
    ? Type extends keyof ScalarOf
      ? N extends { readonly const: infer Const }
        ? Const
        : N extends { readonly enum: readonly (infer Member)[] }
          ? Member
          : ScalarOf[Type]
      : Type extends 'array'
        ? N extends { readonly items: infer Items }
          ? InferNode<Items>[]
          : JsonValue[]
        : Type extends 'object'
          ? N extends { readonly properties: infer Properties }
            ? InferProperties<Properties>
            : JsonObject
          : JsonValue
    : JsonValue

/** The type of the values that a {@link ValueSchemaSpec} accepts; `JsonValue` where the spec is not known exactly. */
export type InferValue<S extends ValueSchemaSpec> = ValueSchemaSpec extends S ? JsonValue : InferNode<S>

/** The type of the argument objects that a {@link ParameterSchemaSpec} accepts. */
export type InferArgs<S extends ParameterSchemaSpec> = string extends keyof S
  ? JsonObject
  : InferProperties<S>

type Keywords<N> = N extends { readonly oneOf: unknown }
  ? 'oneOf'
  : N extends { readonly type: 'array' }
    ? 'type' | 'items'
    : N extends { readonly type: 'object' }
      ? 'type' | 'properties' | 'additionalProperties'
      : N extends { readonly type: 'json' }
        ? 'type'
        : 'type' | 'enum' | 'const'

type Annotation = 'description' | 'title' | 'default' | 'examples'

type ExactNode<N, Extra extends string> = {
  readonly [K in keyof N]: K extends Keywords<N> | Annotation | Extra ? ExactKeyword<N, K> : never
}

type ExactKeyword<N, K extends keyof N> = K extends 'items'
  ? ExactNode<N[K], never>
  : K extends 'properties'
    ? ExactProperties<N[K]>
    : K extends 'oneOf'
      ? ExactBranches<N[K]>
      : N[K]

type ExactBranches<Branches> = { readonly [I in keyof Branches]: ExactNode<Branches[I], never> }

type ExactProperties<S> = { readonly [K in keyof S]: ExactNode<S[K], 'required'> }

/** `S` with every unknown or misplaced keyword typed `never`, so that a misspelt keyword does not compile. */
export type ExactValueSpec<S> = ValueSchemaSpec extends S ? S : ExactNode<S, never>

/** Like {@link ExactValueSpec}, for a map of properties. */
export type ExactParameterSpec<S> = PropertySpec extends S[keyof S] ? S : ExactProperties<S>
