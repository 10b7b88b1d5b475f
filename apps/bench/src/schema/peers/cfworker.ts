import { Validator, type Schema } from '@cfworker/json-schema'
import { jsonSchemaOf } from '../json-schemas.js'
import type { Peer } from '../peer.js'

export const cfworker: Peer = {
  name: '@cfworker/json-schema',
  note: 'eval-free',
  compile: subject => {
    const validator = new Validator(jsonSchemaOf(subject) as Schema, '2020-12', false)
    return {
      check: value => validator.validate(value).valid,
      errors: value => validator.validate(value).errors.length,
    }
  },
}
