import { type ToolResultContent } from '@agent-spine/model'
import { type JsonValue } from '@agent-spine/schema'
import { isObject, ownOf, textOf } from './json-facts.js'

/** Turns one content block of an MCP result into what a model can read. What cannot be carried is described. */
export function readContentBlock(block: JsonValue): readonly ToolResultContent[] {
  if (!isObject(block)) return [text(`[a content block that is ${describeKind(block)} was left out]`)]
  const type = textOf(block, 'type') ?? 'unknown'
  const data = ownOf(block, 'data')
  const mediaType = textOf(block, 'mimeType') ?? 'unknown media type'
  switch (type) {
    case 'text': {
      const words = ownOf(block, 'text')
      return [text(typeof words === 'string' ? words : '[a text block without text was left out]')]
    }
    case 'image':
      return typeof data === 'string'
        ? [image(mediaType, data)]
        : [text('[an image without data was left out]')]
    case 'audio':
      return [text(`[audio (${mediaType}${sizeOf(data)}) was returned, which cannot be shown here]`)]
    case 'resource_link':
      return [text(linkText(block))]
    case 'resource':
      return readResource(ownOf(block, 'resource'))
    default:
      return [text(`[content of the unknown type "${type.slice(0, 100)}" was left out]`)]
  }
}

function linkText(link: Readonly<Record<string, JsonValue>>): string {
  const facts = [textOf(link, 'mimeType'), sizeText(ownOf(link, 'size'))].filter(fact => fact !== undefined)
  const name = textOf(link, 'title') ?? textOf(link, 'name')
  const description = textOf(link, 'description')
  return [
    `[link to a resource: ${textOf(link, 'uri') ?? 'without a URI'}`,
    name === undefined ? '' : `, "${name}"`,
    facts.length > 0 ? ` (${facts.join(', ')})` : '',
    description === undefined ? '' : `: ${description}`,
    ']',
  ].join('')
}

function readResource(resource: JsonValue | undefined): readonly ToolResultContent[] {
  if (!isObject(resource)) return [text('[an embedded resource without content was left out]')]
  const uri = textOf(resource, 'uri') ?? 'without a URI'
  const mediaType = textOf(resource, 'mimeType')
  const label = `[embedded resource: ${uri}${mediaType === undefined ? '' : ` (${mediaType})`}`
  const words = ownOf(resource, 'text')
  if (typeof words === 'string') return [text(`${label}]\n${words}`)]
  const blob = ownOf(resource, 'blob')
  if (typeof blob !== 'string') return [text(`${label}; it has no content]`)]
  if (mediaType?.startsWith('image/')) return [text(`${label}]`), image(mediaType, blob)]
  return [text(`${label}${sizeOf(blob)}; it is binary, which cannot be shown here]`)]
}

function text(words: string): ToolResultContent {
  return { type: 'text', text: words }
}

function image(mediaType: string, base64: string): ToolResultContent {
  return { type: 'image', mediaType, data: { kind: 'base64', base64 } }
}

function sizeOf(base64: JsonValue | undefined): string {
  if (typeof base64 !== 'string') return ', without data'
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return `, ${Math.floor((base64.length * 3) / 4) - padding} bytes`
}

function sizeText(size: JsonValue | undefined): string | undefined {
  return typeof size === 'number' ? `${size} bytes` : undefined
}

function describeKind(value: JsonValue): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
