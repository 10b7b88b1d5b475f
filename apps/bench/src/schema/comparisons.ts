import type { Candidate, Comparison } from '../measure.js'
import { nested, rows, tagged, validArguments, wide, wrongArguments } from './payloads.js'
import type { Peer } from './peer.js'
import { agentSpine, agentSpineParsed } from './peers/agent-spine.js'
import { ajv } from './peers/ajv.js'
import { arktype } from './peers/arktype.js'
import { byHand } from './peers/by-hand.js'
import { cfworker } from './peers/cfworker.js'
import { loadPiSchema } from './peers/pi-schema.js'
import { typebox } from './peers/typebox.js'
import { valibot } from './peers/valibot.js'
import { zod, zodJitless } from './peers/zod.js'

/** Everybody that is compared, also those that cannot run here. */
export async function schemaPeers(): Promise<Peer[]> {
  const piSchema = await loadPiSchema()
  return [
    agentSpine,
    agentSpineParsed,
    ajv,
    byHand,
    zod,
    zodJitless,
    valibot,
    typebox,
    arktype,
    cfworker,
    piSchema,
  ]
}

type Run = (peer: Peer) => Candidate['run']

function comparison(title: string, peers: readonly Peer[], run: Run): Comparison {
  return { title, reference: 'ajv', candidates: peers.map(peer => candidate(peer, run)) }
}

function candidate(peer: Peer, run: Run): Candidate {
  const { name, needsEval, note, failure } = peer
  return {
    name,
    needsEval,
    ...(note !== undefined && { note }),
    ...(failure === undefined ? { run: run(peer) } : { failure, run: () => undefined }),
  }
}

/** A comparison on values that not everybody survives. */
function ordeal(title: string, peers: readonly Peer[], payload: (index: number) => unknown): Comparison {
  const survivable = comparison(title, peers, peer => {
    const { check } = peer.compile('json')
    return index => check(payload(index))
  })
  return {
    ...survivable,
    reference: 'agent-spine',
    // Tried when it is its turn: an engine that has seen such values runs everything slower.
    get candidates() {
      return survivable.candidates.map(entry => ({ ...entry, ...failureOf(entry) }))
    },
  }
}

/** How a candidate fails on a value that is valid. */
function failureOf({ failure, run }: Candidate): { failure?: string } {
  if (failure !== undefined) return { failure }
  try {
    return run(0) === true ? {} : { failure: 'wrong verdict' }
  } catch (error) {
    return { failure: error instanceof RangeError ? 'overflow' : 'error' }
  }
}

/** Everything `bench schema` compares. Every peer is asked for all errors, not for the first. */
export function schemaComparisons(peers: readonly Peer[]): Comparison[] {
  const compare = (title: string, run: Run) => comparison(title, peers, run)
  return [
    compare('A valid argument object of five properties', peer => {
      const { check } = peer.compile('arguments')
      return index => check(validArguments(index))
    }),
    compare('An argument object with three errors, all reported', peer => {
      const { errors } = peer.compile('arguments')
      return index => errors(wrongArguments(index))
    }),
    compare('200 valid rows of six fields', peer => {
      const { check } = peer.compile('rows')
      return index => check(rows(index))
    }),
    compare('A valid member of a ten-branch tagged union', peer => {
      const { check } = peer.compile('tagged')
      return index => check(tagged(index))
    }),
    comparison(
      'Compile a small schema and check once',
      peers.filter(peer => peer !== byHand),
      peer => index => peer.compile('arguments').check(validArguments(index)),
    ),
    ordeal('Any JSON, 1 000 levels', peers, nested(1000)),
    ordeal('Any JSON, 100 000 levels', peers, nested(100_000)),
    ordeal('Any JSON, 100 000 properties', peers, wide(100_000)),
  ]
}
