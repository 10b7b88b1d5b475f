import { HarnessError } from './errors.js'
import { type JsonObject } from './json.js'
import { mutableCopy } from './mutable-copy.js'
import { type Validator } from './validator.js'

// The two contracts of standardschema.dev, version 1, written out so that this package depends on nothing.

/** One problem in the words of Standard Schema. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** What `~standard.validate` answers. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }

/** Which JSON Schema dialect a consumer asks for. */
export interface StandardJsonSchemaOptions {
  readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' | ({} & string)
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/** Standard Schema and Standard JSON Schema of one validator. */
export interface StandardProps<T> {
  readonly version: 1
  readonly vendor: string
  readonly types?: { readonly input: T; readonly output: T } | undefined
  readonly validate: (value: unknown) => StandardResult<T>
  readonly jsonSchema: {
    readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>
    readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>
  }
}

const dialects: Readonly<Record<string, string>> = {
  'draft-2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
}

/** Both contracts of a validator, which is asked for late because it holds them itself. */
export function standardProps<T>(validator: () => Validator<T>): StandardProps<T> {
  function convert({ target }: StandardJsonSchemaOptions): Record<string, unknown> {
    const dialect = Object.hasOwn(dialects, target) ? dialects[target] : undefined
    if (dialect === undefined) {
      const known = Object.keys(dialects).join(' or ')
      throw new HarnessError(
        'UNSUPPORTED_TARGET',
        `expected the target ${known}, found ${JSON.stringify(target)}`,
      )
    }
    // A copy, because consumers add keywords of their own to what they are given.
    return { $schema: dialect, ...mutableCopy(validator().jsonSchema as JsonObject) }
  }
  return {
    version: 1,
    vendor: 'agent-spine',
    validate(value) {
      const issues = validator().issues(value)
      return issues.length === 0 ? { value: value as T } : { issues }
    },
    jsonSchema: { input: convert, output: convert },
  }
}
