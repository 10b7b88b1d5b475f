/*
 * Finds branches of a `oneOf` that no value could tell apart: such a choice refuses what it seems to accept.
 *
 * Structure is compared by number: equal nodes get equal numbers, children before parents, without recursion.
 */
import { type CompiledNode } from './node.js'

/** One sentence for each pair of branches that can never be told apart. */
export function choiceWarnings(root: CompiledNode): string[] {
  const numbers = numberNodes(root)
  return [...numbers.keys()].flatMap(node => (node.kind === 'oneOf' ? warningsOf(node, numbers) : []))
}

function warningsOf(choice: CompiledNode, numbers: ReadonlyMap<CompiledNode, number>): string[] {
  const warnings: string[] = []
  const firstWith = new Map<number | undefined, number>()
  const isPlain = (kind: string) =>
    choice.branches.findIndex(branch => branch.kind === kind && branch.allowed === null)
  for (const [index, branch] of choice.branches.entries()) {
    const first = firstWith.get(numbers.get(branch))
    if (first === undefined) firstWith.set(numbers.get(branch), index)
    else
      warnings.push(
        `branches ${first} and ${index} of a "oneOf" are identical: no value fits exactly one of them`,
      )
  }
  const [integer, number] = [isPlain('integer'), isPlain('number')]
  if (integer !== -1 && number !== -1) {
    warnings.push(`branches ${integer} and ${number} of a "oneOf" overlap: every integer is also a number`)
  }
  return warnings
}

function numberNodes(root: CompiledNode): Map<CompiledNode, number> {
  const numbers = new Map<CompiledNode, number>()
  const byStructure = new Map<string, number>()
  const stack = [{ node: root, children: childrenOf(root), next: 0 }]
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const child = top.children[top.next]
    top.next += 1
    if (child === undefined) {
      const structure = describeStructure(top.node, top.children, numbers)
      const number = byStructure.get(structure) ?? byStructure.size
      byStructure.set(structure, number)
      numbers.set(top.node, number)
      stack.pop()
    } else if (!numbers.has(child)) {
      stack.push({ node: child, children: childrenOf(child), next: 0 })
    }
  }
  return numbers
}

function childrenOf(node: CompiledNode): readonly CompiledNode[] {
  return node.kind === 'array' && node.items.kind !== 'any'
    ? [node.items]
    : [...node.properties.map(property => property.node), ...node.branches]
}

function describeStructure(
  { kind, allowed, properties, rest }: CompiledNode,
  children: readonly CompiledNode[],
  numbers: ReadonlyMap<CompiledNode, number>,
): string {
  const values = allowed === null ? null : [...allowed].map(value => JSON.stringify(value)).sort()
  const declared = properties.map(({ name, isRequired, node }) => [name, isRequired, numbers.get(node)])
  const others = properties.length > 0 ? [] : children.map(child => numbers.get(child))
  return JSON.stringify([kind, values, declared.sort(), rest.kind, others])
}
