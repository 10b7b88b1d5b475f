import { z } from 'zod'
import { branches } from '../payloads.js'
import type { Peer, Subject } from '../peer.js'

function schemaOf(subject: Subject): z.ZodType {
  switch (subject) {
    case 'arguments':
      return z.looseObject({
        path: z.string(),
        query: z.string(),
        limit: z.int(),
        recursive: z.boolean().optional(),
        mode: z.enum(['read', 'write', 'append']).optional(),
      })
    case 'rows':
      return z.looseObject({
        rows: z.array(
          z.looseObject({
            id: z.int(),
            name: z.string(),
            email: z.string(),
            active: z.boolean(),
            score: z.number(),
            tags: z.array(z.string()),
          }),
        ),
      })
    case 'tagged': {
      const [first, ...rest] = branches.map(kind =>
        z.looseObject({ kind: z.literal(kind), id: z.int(), label: z.string(), size: z.number().optional() }),
      )
      if (first === undefined) throw new RangeError('expected at least one branch')
      return z.discriminatedUnion('kind', [first, ...rest])
    }
    case 'json':
      return z.json()
  }
}

function peer(name: string, needsEval: Peer['needsEval'], jitless: boolean): Peer {
  return {
    name,
    needsEval,
    note: 'copies the value',
    compile: subject => {
      const schema = schemaOf(subject)
      const context = { jitless }
      return {
        check: value => schema.safeParse(value, context).success,
        errors: value => schema.safeParse(value, context).error?.issues.length ?? 0,
      }
    },
  }
}

export const zod = peer('zod', 'for this speed', false)
export const zodJitless = peer('zod, jitless', 'no', true)
