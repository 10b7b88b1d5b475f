import { compileSchema } from '@agent-spine/schema'
import { jsonSchemaOf } from '../json-schemas.js'
import type { Peer } from '../peer.js'

export const agentSpine: Peer = {
  name: 'agent-spine',
  needsEval: 'no',
  note: 'every rule on',
  compile: subject => {
    const validator = compileSchema(jsonSchemaOf(subject))
    return { check: value => validator.check(value), errors: value => validator.issues(value).length }
  },
}

const parsed = { parsed: true }

export const agentSpineParsed: Peer = {
  name: 'agent-spine, parsed',
  needsEval: 'no',
  note: 'for values that came from JSON text',
  compile: subject => {
    const validator = compileSchema(jsonSchemaOf(subject))
    return {
      check: value => validator.check(value, parsed),
      errors: value => validator.issues(value, parsed).length,
    }
  },
}
