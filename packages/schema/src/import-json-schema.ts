import { compileSchema } from './compile-schema.js'
import { HarnessError } from './errors.js'
import { isDeeperThan } from './import/depth.js'
import { importNode } from './import/node.js'
import { type Reader, type SchemaChange } from './import/reader.js'
import { type JsonSchemaNode } from './json-schema-node.js'
import { type JsonValue } from './json.js'
import { JsonSchemaError } from './schema-error.js'
import { snapshotJson } from './snapshot-json.js'

/** Far below where `JSON.stringify` overflows. */
const maxNesting = 1000

/** How {@link importJsonSchema} treats what the subset cannot say. */
export interface ImportOptions {
  /** Widen overlapping branches and drop conditions, in place of refusing the schema. Every such change is reported. */
  readonly lossy?: boolean
}

/** A foreign schema in the subset, and everything that was changed to get it there. */
export interface ImportedSchema {
  readonly schema: JsonSchemaNode
  readonly changes: readonly SchemaChange[]
}

/**
 * Brings a JSON Schema that somebody else wrote into the enforced subset, and says what it changed.
 *
 * No value that the foreign schema accepts is refused by the result. What the subset cannot enforce (bounds, lengths,
 * `pattern`, `format`) moves into the description and is reported as `weaker`. Throws {@link JsonSchemaError} with every
 * violation where that is not possible; `lossy` makes it possible more often.
 */
export function importJsonSchema(foreign: unknown, options: ImportOptions = {}): ImportedSchema {
  const reader: Reader = {
    root: detach(foreign),
    isLossy: options.lossy === true,
    changes: [],
    violations: [],
    open: new Set(),
    done: new Map(),
  }
  if (isDeeperThan(reader.root, maxNesting)) {
    throw new JsonSchemaError([`the schema is nested deeper than ${maxNesting} containers`])
  }
  const { node } = importNode(reader, reader.root, [])
  if (reader.violations.length > 0) throw new JsonSchemaError(reader.violations)
  return { schema: compileSchema(node).jsonSchema, changes: reader.changes }
}

function detach(foreign: unknown): JsonValue {
  try {
    return snapshotJson(foreign)
  } catch (cause) {
    throw new JsonSchemaError([HarnessError.is(cause) ? cause.message : 'the schema cannot be read'])
  }
}
