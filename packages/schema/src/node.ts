import { type JsonSchemaNode, type JsonTypeName } from './json-schema-node.js'
import { type JsonScalar } from './json.js'

/** What a node checks: a JSON type, any JSON value, a choice of branches, or nothing that could be there at all. */
export type NodeKind = JsonTypeName | 'any' | 'oneOf' | 'never'

/** The property that tells the object branches of a `oneOf` apart. */
export interface Tag {
  readonly name: string
  readonly branchOf: ReadonlyMap<JsonScalar, CompiledNode>
  /** No branch accepts an object without the tag. */
  readonly isRequired: boolean
}

/** One declared property of an object. */
export interface Property {
  readonly name: string
  readonly index: number
  readonly node: CompiledNode
  isRequired: boolean
}

/**
 * A schema node made ready for the walk. Nodes of every kind have every field, so that one read site in the walk sees
 * one shape.
 */
export interface CompiledNode {
  readonly kind: NodeKind
  /** Values of this kind hold no others. */
  readonly isScalar: boolean
  /** Bits of {@link stringBit} and its like: the JSON types of the values this node may accept. */
  types: number
  /** The values that `enum` and `const` leave; `null` when every value of the type will do. */
  allowed: readonly JsonScalar[] | null
  /** The same as a set, where they are too many to compare one by one. */
  allowedSet: ReadonlySet<JsonScalar> | null
  /** The declared properties in schema order; a `never` node has those of its object. */
  properties: readonly Property[]
  /** The same by name, made by {@link findProperty} when it is first needed. */
  byName: ReadonlyMap<string, Property> | null
  requiredCount: number
  /** What items of an array fit. */
  items: CompiledNode
  /** What undeclared properties fit: anything, or in a closed object a `never` node. */
  rest: CompiledNode
  branches: readonly CompiledNode[]
  tag: Tag | null
  /** Strings with lone surrogates are refused. */
  readonly isWellFormedOnly: boolean
  /** The schema this came from. */
  readonly schema: JsonSchemaNode
}

// One bit per JSON type; integers count as numbers.
export const nullBit = 1
export const booleanBit = 2
export const numberBit = 4
export const stringBit = 8
export const arrayBit = 16
export const objectBit = 32

/** The JSON types of the values that a node of each kind may accept. */
export const typeBits: Readonly<Record<NodeKind, number>> = {
  null: nullBit,
  boolean: booleanBit,
  number: numberBit,
  integer: numberBit,
  string: stringBit,
  array: arrayBit,
  object: objectBit,
  any: nullBit | booleanBit | numberBit | stringBit | arrayBit | objectBit,
  oneOf: 0,
  never: 0,
}

/** The bit of the JSON type of `value`; 0 for a value that JSON does not have. May throw on a revoked Proxy. */
export function typeBitOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return stringBit
    case 'number':
      return numberBit
    case 'boolean':
      return booleanBit
    case 'object':
      return value === null ? nullBit : Array.isArray(value) ? arrayBit : objectBit
    default:
      return 0
  }
}

/** The declared property `name` of an object node. */
export function findProperty(node: CompiledNode, name: string): Property | undefined {
  node.byName ??= new Map(node.properties.map(property => [property.name, property]))
  return node.byName.get(name)
}

interface Slots {
  /** What is accepted where no schema says anything; by default the new node itself. */
  readonly slot?: CompiledNode
  readonly isWellFormedOnly: boolean
}

// One literal for every node, so that all nodes have the same shape.
function createNode(kind: NodeKind, schema: JsonSchemaNode, { slot, isWellFormedOnly }: Slots): CompiledNode {
  const node: CompiledNode = {
    kind,
    isScalar: (typeBits[kind] & (arrayBit | objectBit)) === 0 && kind !== 'oneOf',
    types: typeBits[kind],
    allowed: null,
    allowedSet: null,
    properties: [],
    byName: null,
    requiredCount: 0,
    items: slot as CompiledNode,
    rest: slot as CompiledNode,
    branches: [],
    tag: null,
    isWellFormedOnly,
    schema,
  }
  if (slot === undefined) {
    node.items = node
    node.rest = node
  }
  return node
}

/** Any lossless JSON whose text is well-formed: the content of every slot without a schema. */
export const anyNode: CompiledNode = createNode('any', Object.freeze({}), { isWellFormedOnly: true })

/** Any lossless JSON. */
export const losslessNode: CompiledNode = createNode('any', Object.freeze({}), { isWellFormedOnly: false })

/** A node of `kind` that accepts every value of it, to be filled in by the compiler. */
export function newNode(kind: NodeKind, schema: JsonSchemaNode): CompiledNode {
  return createNode(kind, schema, { slot: anyNode, isWellFormedOnly: true })
}
