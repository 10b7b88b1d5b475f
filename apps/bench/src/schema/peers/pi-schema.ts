import { foreignJsonSchemaOf } from '../json-schemas.js'
import type { Peer } from '../peer.js'

const name = '@earendil-works/pi-schema'
const minNode = 22

/** What is used of it. Installed only where Node is new enough, so its own types cannot be relied on. */
interface PiSchema {
  readonly compile: (schema: object) => {
    check(value: unknown): boolean
    errors(value: unknown): readonly unknown[]
  }
}

/** The peer, or a row that says why it cannot run here. */
export async function loadPiSchema(): Promise<Peer> {
  const peer = { name, needsEval: 'no' } as const
  const failure = `needs Node ≥ ${minNode}`
  if (Number(process.versions.node.split('.')[0]) < minNode) return { ...peer, failure, compile: refuse }
  const { compile } = (await import(name)) as PiSchema
  return {
    ...peer,
    compile: subject => {
      const validator = compile(foreignJsonSchemaOf(subject))
      return { check: value => validator.check(value), errors: value => validator.errors(value).length }
    },
  }
}

function refuse(): never {
  throw new Error(`expected Node ≥ ${minNode} for ${name}, found ${process.version}`)
}
