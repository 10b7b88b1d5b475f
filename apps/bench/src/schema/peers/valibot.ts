import * as v from 'valibot'
import { branches } from '../payloads.js'
import type { Peer, Subject } from '../peer.js'

const scalars = [v.string(), v.number(), v.boolean(), v.null()] as const
const json: v.GenericSchema = v.lazy(() => v.union([...scalars, v.array(json), v.record(v.string(), json)]))

function schemaOf(subject: Subject): v.GenericSchema {
  switch (subject) {
    case 'arguments':
      return v.looseObject({
        path: v.string(),
        query: v.string(),
        limit: v.pipe(v.number(), v.integer()),
        recursive: v.optional(v.boolean()),
        mode: v.optional(v.picklist(['read', 'write', 'append'])),
      })
    case 'rows':
      return v.looseObject({
        rows: v.array(
          v.looseObject({
            id: v.pipe(v.number(), v.integer()),
            name: v.string(),
            email: v.string(),
            active: v.boolean(),
            score: v.number(),
            tags: v.array(v.string()),
          }),
        ),
      })
    case 'tagged':
      return v.variant(
        'kind',
        branches.map(kind =>
          v.looseObject({
            kind: v.literal(kind),
            id: v.pipe(v.number(), v.integer()),
            label: v.string(),
            size: v.optional(v.number()),
          }),
        ),
      )
    case 'json':
      return json
  }
}

export const valibot: Peer = {
  name: 'valibot',
  needsEval: 'no',
  note: 'copies the value',
  compile: subject => {
    const schema = schemaOf(subject)
    return {
      check: value => v.safeParse(schema, value).success,
      errors: value => v.safeParse(schema, value).issues?.length ?? 0,
    }
  },
}
