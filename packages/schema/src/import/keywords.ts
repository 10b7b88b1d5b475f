/** Keywords that say nothing about which values are accepted. */
export const silent: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$comment',
  '$anchor',
  '$defs',
  'definitions',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'externalDocs',
  'discriminator',
  'xml',
  'example',
  'markdownDescription',
  'enumNames',
  'enumDescriptions',
])

/** Keywords that narrow a value in a way the subset does not enforce, but a description can tell. */
export const describable: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'dependentRequired',
])

/** Keywords that narrow a value in a way that would be lost without a trace. */
export const lossyOnly: ReadonlySet<string> = new Set([
  'not',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'dependentSchemas',
  'dependencies',
  'unevaluatedItems',
  'unevaluatedProperties',
  'patternProperties',
  'additionalItems',
  '$dynamicRef',
  '$recursiveRef',
])

/** Keywords that are read, one by one, when a node is built. */
export const structural: ReadonlySet<string> = new Set([
  'type',
  'nullable',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
])

export const annotations: ReadonlySet<string> = new Set(['description', 'title', 'default', 'examples'])
