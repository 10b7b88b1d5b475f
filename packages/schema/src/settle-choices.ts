/*
 * Works out, once all nodes are read, what lets a `oneOf` decide without trying: the JSON types each branch may accept,
 * and the tag that tells its object branches apart.
 */
import { type JsonScalar } from './json.js'
import { type CompiledNode, findProperty, objectBit, type Tag } from './node.js'

export function settleChoices(choices: readonly CompiledNode[]): void {
  for (const choice of choices) settleTypes(choice)
  for (const choice of choices) choice.tag = findTag(choice.branches)
}

/** The types of a choice are those of its branches, innermost first; no recursion. */
function settleTypes(choice: CompiledNode): void {
  const stack = [{ node: choice, next: 0 }]
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { branches } = top.node
    const branch = branches[top.next]
    if (branch === undefined) {
      top.node.types = branches.reduce((types, { types: more }) => types | more, 0)
      stack.pop()
    } else {
      top.next += 1
      if (branch.kind === 'oneOf' && branch.types === 0) stack.push({ node: branch, next: 0 })
    }
  }
}

function findTag(branches: readonly CompiledNode[]): Tag | null {
  const objects = branches.filter(({ types }) => (types & objectBit) !== 0)
  const first = objects[0]
  if (objects.length < 2 || first === undefined) return null
  for (const { name } of first.properties) {
    const tag = tagNamed(name, objects)
    if (tag !== null) return tag
  }
  return null
}

function tagNamed(name: string, objects: readonly CompiledNode[]): Tag | null {
  const branchOf = new Map<JsonScalar, CompiledNode>()
  let isRequired = true
  for (const branch of objects) {
    const property = findProperty(branch, name)
    if (property === undefined || property.node.allowed === null) return null
    if (!property.isRequired) isRequired = false
    for (const value of property.node.allowed) {
      if (branchOf.has(value)) return null
      branchOf.set(value, branch)
    }
  }
  return { name, branchOf, isRequired }
}
