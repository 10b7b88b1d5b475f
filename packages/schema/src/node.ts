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

/**
 * A schema node made ready for the walk. Nodes of every kind have every field, so that one read site in the walk sees
 * one shape.
 */
export interface CompiledNode {
  readonly kind: NodeKind
  /** Values of this kind hold no others. */
  readonly isScalar: boolean
  /** Bits of {@link typeBits}: the JSON types of the values this node may accept. */
  types: number
  /** The values that `enum` and `const` leave; `null` when every value of the type will do. */
  allowed: ReadonlySet<JsonScalar> | null
  /** The declared properties in schema order; these four run in parallel. */
  names: readonly string[]
  children: readonly CompiledNode[]
  required: readonly boolean[]
  positions: ReadonlyMap<string, number>
  requiredCount: number
  /** What items of an array fit. */
  items: CompiledNode
  /** What undeclared properties fit: anything, or in a closed object a `never` node with the declared names. */
  rest: CompiledNode
  branches: readonly CompiledNode[]
  tag: Tag | null
  /** Strings with lone surrogates are refused. */
  readonly isWellFormedOnly: boolean
  /** The schema this came from. */
  readonly schema: JsonSchemaNode
}

const allTypes = 63

/** One bit per JSON type; integers count as numbers. */
export const typeBits: Readonly<Record<NodeKind, number>> = {
  null: 1,
  boolean: 2,
  number: 4,
  integer: 4,
  string: 8,
  array: 16,
  object: 32,
  any: allTypes,
  oneOf: 0,
  never: 0,
}

/** The bit of the JSON type of `value`; 0 for a value that JSON does not have. May throw on a revoked Proxy. */
export function typeBitOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return typeBits.string
    case 'number':
      return typeBits.number
    case 'boolean':
      return typeBits.boolean
    case 'object':
      return value === null ? typeBits.null : Array.isArray(value) ? typeBits.array : typeBits.object
    default:
      return 0
  }
}

const noPositions: ReadonlyMap<string, number> = new Map()

interface Slots {
  /** What is accepted where no schema says anything; by default the new node itself. */
  readonly slot?: CompiledNode
  readonly isWellFormedOnly: boolean
}

// One literal for every node, so that all nodes have the same shape.
function createNode(kind: NodeKind, schema: JsonSchemaNode, { slot, isWellFormedOnly }: Slots): CompiledNode {
  const node: CompiledNode = {
    kind,
    isScalar: (typeBits[kind] & (typeBits.array | typeBits.object)) === 0 && kind !== 'oneOf',
    types: typeBits[kind],
    allowed: null,
    names: [],
    children: [],
    required: [],
    positions: noPositions,
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
