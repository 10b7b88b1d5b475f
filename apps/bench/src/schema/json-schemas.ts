import type { JsonSchemaNode } from '@agent-spine/schema'
import { branches } from './payloads.js'
import type { Subject } from './peer.js'

/** The JSON Schema of a subject, made anew on every call. */
export function jsonSchemaOf(subject: Subject): JsonSchemaNode {
  switch (subject) {
    case 'arguments':
      return {
        type: 'object',
        properties: {
          path: { type: 'string' },
          query: { type: 'string' },
          limit: { type: 'integer' },
          recursive: { type: 'boolean' },
          mode: { type: 'string', enum: ['read', 'write', 'append'] },
        },
        required: ['path', 'query', 'limit'],
      }
    case 'rows':
      return {
        type: 'object',
        properties: {
          rows: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                id: { type: 'integer' },
                name: { type: 'string' },
                email: { type: 'string' },
                active: { type: 'boolean' },
                score: { type: 'number' },
                tags: { type: 'array', items: { type: 'string' } },
              },
              required: ['id', 'name', 'email', 'active', 'score', 'tags'],
            },
          },
        },
        required: ['rows'],
      }
    case 'tagged':
      return {
        oneOf: branches.map(kind => ({
          type: 'object',
          properties: {
            kind: { type: 'string', const: kind },
            id: { type: 'integer' },
            label: { type: 'string' },
            size: { type: 'number' },
          },
          required: ['kind', 'id', 'label'],
        })),
      }
    case 'json':
      return {}
  }
}

/**
 * The JSON Schema of a subject for validators that let anything pass where nothing is asked: for `json` it describes
 * JSON, and so refers to itself.
 */
export function foreignJsonSchemaOf(subject: Subject): object {
  if (subject !== 'json') return jsonSchemaOf(subject)
  const json = { $ref: '#/definitions/json' }
  return {
    ...json,
    definitions: {
      json: {
        anyOf: [
          { type: 'string' },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'null' },
          { type: 'array', items: json },
          { type: 'object', additionalProperties: json },
        ],
      },
    },
  }
}
