import { type CompiledNode } from './node.js'
import { type Path } from './path.js'

/** Why a value was refused; `violation.ts` has the words. */
export type ProblemCode =
  | 'mismatch'
  | 'missing'
  | 'bad tag'
  | 'many branches'
  | 'not plain'
  | 'circular'
  | 'too large'
  | 'not JSON'
  | 'rounded'

/** One violation as the walk leaves it: linked to its path, without text. */
export interface Problem {
  /** The container the problem is in. */
  readonly at: Path | null
  /** The place in that container; `undefined` when the container is the root value itself. */
  readonly key: string | number | undefined
  readonly code: ProblemCode
  readonly node: CompiledNode
  /** A scalar as it was found, or words for anything else. */
  readonly found: unknown
  /** The node of that container. */
  readonly owner: CompiledNode | null
}

/** Words for a value that must not be kept, because it could change or hold memory. */
export class Words {
  constructor(readonly text: string) {}
}
