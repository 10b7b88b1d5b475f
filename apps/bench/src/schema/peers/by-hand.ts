import { branches } from '../payloads.js'
import type { Checker, Peer, Subject } from '../peer.js'

type Problem = readonly [path: string, expected: string]
type Find = (value: unknown, problems: Problem[]) => void

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const findInArguments: Find = (value, problems) => {
  if (!isRecord(value)) {
    problems.push(['', 'object'])
    return
  }
  const { path, query, limit, recursive, mode } = value
  if (typeof path !== 'string') problems.push(['path', 'string'])
  if (typeof query !== 'string') problems.push(['query', 'string'])
  if (!Number.isInteger(limit)) problems.push(['limit', 'integer'])
  if (recursive !== undefined && typeof recursive !== 'boolean') problems.push(['recursive', 'boolean'])
  if (mode !== undefined && mode !== 'read' && mode !== 'write' && mode !== 'append')
    problems.push(['mode', 'enum'])
}

const findInRows: Find = (value, problems) => {
  if (!isRecord(value) || !Array.isArray(value['rows'])) {
    problems.push(['rows', 'array'])
    return
  }
  const list: unknown[] = value['rows']
  for (const [index, row] of list.entries()) {
    if (!isRecord(row)) {
      problems.push([`rows[${index}]`, 'object'])
      continue
    }
    if (!Number.isInteger(row['id'])) problems.push([`rows[${index}].id`, 'integer'])
    if (typeof row['name'] !== 'string') problems.push([`rows[${index}].name`, 'string'])
    if (typeof row['email'] !== 'string') problems.push([`rows[${index}].email`, 'string'])
    if (typeof row['active'] !== 'boolean') problems.push([`rows[${index}].active`, 'boolean'])
    if (!Number.isFinite(row['score'])) problems.push([`rows[${index}].score`, 'number'])
    const tags = row['tags']
    if (!Array.isArray(tags)) problems.push([`rows[${index}].tags`, 'array'])
    else for (const tag of tags) if (typeof tag !== 'string') problems.push([`rows[${index}].tags`, 'string'])
  }
}

const kinds = new Set<unknown>(branches)

const findInTagged: Find = (value, problems) => {
  if (!isRecord(value) || !kinds.has(value['kind'])) {
    problems.push(['kind', 'enum'])
    return
  }
  if (!Number.isInteger(value['id'])) problems.push(['id', 'integer'])
  if (typeof value['label'] !== 'string') problems.push(['label', 'string'])
  if (value['size'] !== undefined && !Number.isFinite(value['size'])) problems.push(['size', 'number'])
}

const findInJson: Find = (value, problems) => {
  if (Array.isArray(value)) {
    for (const item of value) findInJson(item, problems)
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) findInJson(value[key], problems)
  } else if (
    typeof value !== 'string' &&
    typeof value !== 'boolean' &&
    value !== null &&
    !Number.isFinite(value)
  ) {
    problems.push(['', 'JSON'])
  }
}

const finders: Record<Subject, Find> = {
  arguments: findInArguments,
  rows: findInRows,
  tagged: findInTagged,
  json: findInJson,
}

export const byHand: Peer = {
  name: 'by hand',
  needsEval: 'no',
  note: 'the limit for types alone; checks no losslessness',
  compile: (subject): Checker => {
    const find = finders[subject]
    const errors = (value: unknown): number => {
      const problems: Problem[] = []
      find(value, problems)
      return problems.length
    }
    return { check: value => errors(value) === 0, errors }
  },
}
