/** Any value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** An object with JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** A JSON value that holds no others. */
export type JsonScalar = null | boolean | number | string
