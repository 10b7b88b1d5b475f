import { type } from 'arktype'
import { branches } from '../payloads.js'
import type { Checker, Peer, Subject } from '../peer.js'

type Validate = (value: unknown) => unknown

function schemaOf(subject: Subject): Validate {
  switch (subject) {
    case 'arguments':
      return type({
        path: 'string',
        query: 'string',
        limit: 'number.integer',
        'recursive?': 'boolean',
        'mode?': "'read' | 'write' | 'append'",
      })
    case 'rows':
      return type({
        rows: type({
          id: 'number.integer',
          name: 'string',
          email: 'string',
          active: 'boolean',
          score: 'number',
          tags: 'string[]',
        }).array(),
      })
    case 'tagged':
      return type.or(
        ...branches.map(kind =>
          type({ kind: type.unit(kind), id: 'number.integer', label: 'string', 'size?': 'number' }),
        ),
      )
    case 'json':
      return type('object.json')
  }
}

export const arktype: Peer = {
  name: 'arktype',
  needsEval: 'for this speed',
  compile: (subject): Checker => {
    const validate = schemaOf(subject)
    return {
      check: value => !(validate(value) instanceof type.errors),
      errors: value => {
        const out = validate(value)
        return out instanceof type.errors ? out.length : 0
      },
    }
  },
}
