/** What can be read of a failure, whoever made it. */
export interface ErrorFacts {
  /** What a person reads: the message, or the provider's own. Never empty, at most 2000 characters. */
  readonly message: string
  readonly status: number | undefined
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The text of the provider's answer. */
  readonly body: string
  /** How the provider calls this kind of failure, as `code`, `type` or `status` of its error object. */
  readonly words: readonly string[]
  /** The names and codes of the errors, from the outermost to its first cause. */
  readonly names: readonly string[]
}

const maxDepth = 8
const maxMessageLength = 2000

/**
 * Reads an error of the AI SDK, of `fetch`, or the plain value that a provider sent in the middle of a stream. By shape:
 * the classes are of a copy of a package that is not ours.
 */
export function errorFacts(error: unknown): ErrorFacts {
  const chain = chainOf(error)
  const objects = chain.flatMap(providerErrors)
  const statuses = [...chain.map(link => link['statusCode']), ...objects.map(object => object['code'])]
  return {
    message: messageOf(error, [...chain, ...objects]).slice(0, maxMessageLength),
    status: statuses.find(isStatus),
    headers: headersOf(chain),
    body: chain.map(link => textOf(link['responseBody'])).find(text => text !== '') ?? '',
    words: objects
      .flatMap(object => ['code', 'type', 'status'].map(key => textOf(object[key])))
      .filter(Boolean),
    names: chain.flatMap(link => [textOf(link['name']), textOf(link['code'])]).filter(Boolean),
  }
}

type Fields = Readonly<Record<string, unknown>>

function chainOf(error: unknown): readonly Fields[] {
  const chain: Fields[] = []
  let link = error
  while (isFields(link) && chain.length < maxDepth) {
    chain.push(link)
    link = link['cause']
  }
  return chain
}

/** The provider's error objects: the value itself, its `error`, what the AI SDK read of the answer, and the answer. */
function providerErrors(link: Fields): readonly Fields[] {
  const roots = link instanceof Error ? [link['data'], parsed(link['responseBody'])] : [link]
  return roots
    .flatMap(root => (Array.isArray(root) ? (root as readonly unknown[]) : [root]))
    .filter(isFields)
    .flatMap(root => (isFields(root['error']) ? [root['error'], root] : [root]))
}

function messageOf(error: unknown, objects: readonly Fields[]): string {
  const messages = objects.map(object => textOf(object['message'])).filter(Boolean)
  return messages[0] ?? (textOf(error) || 'the provider failed without saying why')
}

function headersOf(chain: readonly Fields[]): Readonly<Record<string, string>> {
  const headers = chain.map(link => link['responseHeaders']).find(isFields) ?? {}
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), textOf(value)]),
  )
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(textOf(text))
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 400 && value < 600
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
