import { Type, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { branches } from '../payloads.js'
import type { Peer, Subject } from '../peer.js'

function schemaOf(subject: Subject): TSchema {
  switch (subject) {
    case 'arguments':
      return Type.Object({
        path: Type.String(),
        query: Type.String(),
        limit: Type.Integer(),
        recursive: Type.Optional(Type.Boolean()),
        mode: Type.Optional(
          Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('append')]),
        ),
      })
    case 'rows':
      return Type.Object({
        rows: Type.Array(
          Type.Object({
            id: Type.Integer(),
            name: Type.String(),
            email: Type.String(),
            active: Type.Boolean(),
            score: Type.Number(),
            tags: Type.Array(Type.String()),
          }),
        ),
      })
    case 'tagged':
      return Type.Union(
        branches.map(kind =>
          Type.Object({
            kind: Type.Literal(kind),
            id: Type.Integer(),
            label: Type.String(),
            size: Type.Optional(Type.Number()),
          }),
        ),
      )
    case 'json': {
      const json = Type.Ref('Json')
      const members = [Type.String(), Type.Number(), Type.Boolean(), Type.Null(), Type.Array(json)]
      return Type.Cyclic({ Json: Type.Union([...members, Type.Record(Type.String(), json)]) }, 'Json')
    }
  }
}

export const typebox: Peer = {
  name: 'typebox',
  needsEval: 'for this speed',
  compile: subject => {
    const validator = Compile(schemaOf(subject))
    return { check: value => validator.Check(value), errors: value => validator.Errors(value).length }
  },
}
