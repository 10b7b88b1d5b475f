import { Validator } from '@cfworker/json-schema'
import { foreignJsonSchemaOf } from '../json-schemas.js'
import type { Peer } from '../peer.js'

export const cfworker: Peer = {
  name: '@cfworker/json-schema',
  needsEval: 'no',
  compile: subject => {
    const validator = new Validator(foreignJsonSchemaOf(subject), '2020-12', false)
    return {
      check: value => validator.validate(value).valid,
      errors: value => validator.validate(value).errors.length,
    }
  },
}
