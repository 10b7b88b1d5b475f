import { Ajv } from 'ajv'
import { foreignJsonSchemaOf } from '../json-schemas.js'
import type { Peer } from '../peer.js'

export const ajv: Peer = {
  name: 'ajv',
  needsEval: 'yes',
  compile: subject => {
    const validate = new Ajv({ allErrors: true, strict: true }).compile(foreignJsonSchemaOf(subject))
    return {
      check: value => validate(value),
      errors: value => (validate(value) ? 0 : (validate.errors?.length ?? 0)),
    }
  },
}
