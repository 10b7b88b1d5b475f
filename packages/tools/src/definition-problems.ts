import { HarnessError } from '@agent-spine/schema'

const functions = [
  'isConcurrencySafe',
  'conflictKey',
  'presentCall',
  'presentResult',
  'finalizeContent',
] as const

const known: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'closed',
  'output',
  'timeoutMs',
  'execute',
  ...functions,
])

/** Refuses a definition that types would have refused. @throws HarnessError `INVALID_TOOL` */
export function assertDefinition(definition: object): void {
  const problems = definitionProblems(definition as Readonly<Record<string, unknown>>)
  if (problems.length > 0) {
    throw new HarnessError('INVALID_TOOL', `this tool definition cannot be used: ${problems.join('; ')}`)
  }
}

function definitionProblems(definition: Readonly<Record<string, unknown>>): string[] {
  const { name, description, parameters, closed, output, timeoutMs, execute } = definition
  const problems: string[] = []
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    problems.push('"name" must be 1 to 64 letters, digits, "_" or "-"')
  }
  if (typeof description !== 'string' || description.trim() === '')
    problems.push('"description" must be text')
  if (!isObject(parameters)) problems.push('"parameters" must be an object; use {} for a tool without any')
  if (closed !== undefined && typeof closed !== 'boolean') problems.push('"closed" must be a boolean')
  if (output !== undefined && !isObject(output)) problems.push('"output" must be an object')
  if (timeoutMs !== undefined && !isDuration(timeoutMs)) problems.push('"timeoutMs" must be a number above 0')
  if (typeof execute !== 'function') problems.push('"execute" must be a function')
  for (const key of functions) {
    if (definition[key] !== undefined && typeof definition[key] !== 'function') {
      problems.push(`"${key}" must be a function`)
    }
  }
  for (const key of Object.keys(definition)) if (!known.has(key)) problems.push(`"${key}" is not known`)
  return problems
}

function isObject(value: unknown): boolean {
  return (typeof value === 'object' || typeof value === 'function') && value !== null
}

function isDuration(value: unknown): boolean {
  return typeof value === 'number' && value > 0
}
