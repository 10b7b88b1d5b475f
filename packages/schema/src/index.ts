export { HarnessError, type HarnessErrorOptions } from './errors.js'
export type { JsonObject, JsonValue } from './json.js'
