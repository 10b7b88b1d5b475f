/*
 * Turns the author DSL into JSON Schema of the subset.
 *
 * Invariants:
 * 1. The spec is copied once and only the copy is read. No recursion; a node used in two places is translated once.
 * 2. Only what the DSL changes is handled here (`json`, `required`, the root); every keyword is left for the subset to
 *    judge, so that nothing can be refused in one place and ignored in the other.
 */
import { compileSchema } from './compile-schema.js'
import { type JsonSchemaNode } from './json-schema-node.js'
import { type JsonObject, type JsonValue } from './json.js'
import { childPath, type Path, printPath } from './path.js'
import { JsonSchemaError } from './schema-error.js'
import { setOwn, snapshotJson } from './snapshot-json.js'
import { type ParameterSchemaSpec, type ValueSchemaSpec } from './spec.js'

/** How the root of parameters treats what it does not declare. */
export interface ParameterOptions {
  /** Refuse undeclared arguments. Default: they are let through. */
  readonly closed?: boolean
}

/**
 * The JSON Schema of a map of parameters: an object that is open unless `closed` is set.
 *
 * Throws {@link JsonSchemaError} with every violation.
 */
export function parameterSchemaSpecToJsonSchema(
  spec: ParameterSchemaSpec,
  options: ParameterOptions = {},
): JsonSchemaNode {
  const translation = begin(spec)
  const root: Target = { type: 'object' }
  addProperties(translation, root, { value: translation.copy, path: null })
  if (options.closed === true) root['additionalProperties'] = false
  return finish(translation, root)
}

/** The JSON Schema of one node of the DSL. Throws {@link JsonSchemaError} with every violation. */
export function valueSchemaSpecToJsonSchema(spec: ValueSchemaSpec): JsonSchemaNode {
  const translation = begin(spec)
  refuseRequired(translation, translation.copy, null)
  return finish(translation, targetOf(translation, translation.copy, null))
}

type Target = Record<string, unknown>

interface Translation {
  readonly copy: JsonValue
  readonly targets: Map<JsonObject, Target>
  readonly queue: { readonly spec: JsonObject; readonly target: Target; readonly path: Path | null }[]
  readonly violations: string[]
}

function begin(spec: unknown): Translation {
  try {
    return { copy: snapshotJson(spec), targets: new Map(), queue: [], violations: [] }
  } catch (cause) {
    throw new JsonSchemaError([`"spec": ${(cause as Error).message}`])
  }
}

function finish(translation: Translation, root: Target): JsonSchemaNode {
  for (let index = 0; index < translation.queue.length; index += 1) {
    const entry = translation.queue[index]
    if (entry !== undefined) translate(translation, entry)
  }
  if (translation.violations.length > 0) throw new JsonSchemaError(translation.violations)
  return compileSchema(root).jsonSchema
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function complain(translation: Translation, path: Path | null, what: string): void {
  translation.violations.push(`"${printPath('spec', path)}" ${what}`)
}

/** The schema node for `value`, to be filled in when the queue comes to it. */
function targetOf(translation: Translation, value: JsonValue | undefined, path: Path | null): Target {
  if (!isObject(value)) {
    complain(translation, path, 'must be an object that describes a value')
    return {}
  }
  const known = translation.targets.get(value)
  if (known !== undefined) return known
  const target: Target = {}
  translation.targets.set(value, target)
  translation.queue.push({ spec: value, target, path })
  return target
}

function translate(
  translation: Translation,
  { spec, target, path }: { spec: JsonObject; target: Target; path: Path | null },
): void {
  const has = (keyword: string) => Object.hasOwn(spec, keyword)
  if (!has('type') && !has('oneOf')) complain(translation, path, 'must have a "type" or a "oneOf"')
  if (has('type') && spec['type'] === 'object' && !has('additionalProperties')) {
    complain(translation, path, 'must say "additionalProperties": true or false')
  }
  for (const [keyword, value] of Object.entries(spec)) {
    const at = childPath(path, keyword)
    if (keyword === 'type' && value === 'json') continue
    if (keyword === 'required' && typeof value === 'boolean') continue
    if (keyword === 'properties') addProperties(translation, target, { value, path: at })
    else if (keyword === 'items') target['items'] = targetOf(translation, value, at)
    else if (keyword === 'oneOf' && Array.isArray(value)) {
      const branches = value as readonly JsonValue[]
      target['oneOf'] = branches.map((branch, index) => {
        refuseRequired(translation, branch, childPath(at, index))
        return targetOf(translation, branch, childPath(at, index))
      })
    } else if (keyword === 'required') {
      complain(translation, at, 'must be true or false; mark each required property itself')
    } else setOwn(target, keyword, value)
    if (keyword === 'items') refuseRequired(translation, value, at)
  }
}

/** Only a property can be required; on any other node the word would be ignored. */
function refuseRequired(translation: Translation, node: JsonValue | undefined, path: Path | null): void {
  if (isObject(node) && Object.hasOwn(node, 'required')) {
    complain(translation, childPath(path, 'required'), 'belongs on a property')
  }
}

function addProperties(
  translation: Translation,
  target: Target,
  { value, path }: { value: JsonValue; path: Path | null },
): void {
  if (!isObject(value)) {
    complain(translation, path, 'must be an object of properties')
    return
  }
  const properties: Target = {}
  const required: string[] = []
  for (const [name, property] of Object.entries(value)) {
    setOwn(properties, name, targetOf(translation, property, childPath(path, name)))
    if (isObject(property) && Object.hasOwn(property, 'required') && property['required'] === true) {
      required.push(name)
    }
  }
  target['properties'] = properties
  if (required.length > 0) target['required'] = required
}
