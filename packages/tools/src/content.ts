import { type ImageBlock, type TextBlock, type ToolResultContent } from '@agent-spine/model'
import { HarnessError } from '@agent-spine/schema'

/** How much one result may hold. */
export interface ContentLimits {
  /** Bytes of UTF-8, over all text. */
  readonly maxResultBytes: number
  /** Bytes of base64, per image. */
  readonly maxImageBytes: number
}

/** Limits with their defaults. @throws HarnessError `INVALID_OPTION` */
export function contentLimits(options: Partial<ContentLimits>): ContentLimits {
  const { maxResultBytes = 65_536, maxImageBytes = 5_242_880 } = options
  if (maxResultBytes >= minResultBytes && maxImageBytes >= 0) return { maxResultBytes, maxImageBytes }
  throw new HarnessError(
    'INVALID_OPTION',
    `maxResultBytes must be at least ${minResultBytes} and maxImageBytes at least 0, found ${maxResultBytes} and ${maxImageBytes}`,
  )
}

/** Room for a few sentences, such as why a call failed. */
const minResultBytes = 1024

/** What the model reads where a tool said nothing. Providers refuse empty text. */
const nothing = '(no output)'

/** Whether `value` is a list of blocks that a result may hold. May throw what a hostile getter throws. */
export function isResultContent(value: unknown): value is readonly ToolResultContent[] {
  return Array.isArray(value) && value.every(isResultBlock)
}

function isResultBlock(value: unknown): value is ToolResultContent {
  if (typeof value !== 'object' || value === null) return false
  const block = value as Partial<TextBlock> | Partial<ImageBlock>
  if (block.type === 'text') return typeof block.text === 'string'
  if (block.type !== 'image' || typeof block.mediaType !== 'string') return false
  const data = block.data as Partial<Record<'kind' | 'base64' | 'url', unknown>> | undefined
  return (
    (data?.kind === 'base64' && typeof data.base64 === 'string') ||
    (data?.kind === 'url' && typeof data.url === 'string')
  )
}

/** One block of text. */
export function textContent(text: string): readonly [TextBlock] {
  return Object.freeze([note(text)] as const)
}

/** `content` as it is committed: well-formed, within the limits, without empty blocks, never empty, deeply frozen. */
export function boundContent(
  content: readonly ToolResultContent[],
  limits: ContentLimits,
): readonly ToolResultContent[] {
  const blocks = boundBlocks(content, limits.maxImageBytes)
  if (blocks.length === 0) return Object.freeze([note(nothing)])
  const { maxResultBytes } = limits
  return Object.freeze(fits(blocks, maxResultBytes) ? blocks : cutText(blocks, maxResultBytes))
}

function boundBlocks(content: readonly ToolResultContent[], maxImageBytes: number): ToolResultContent[] {
  const [only] = content
  // By far the most common content, and the cheapest way to an array of one.
  if (content.length === 1 && only?.type === 'text' && only.text.trim() !== '')
    return [note(wellFormed(only.text))]
  return content
    .map(block => (block.type === 'text' ? note(wellFormed(block.text)) : boundImage(block, maxImageBytes)))
    .filter(block => block.type === 'image' || block.text.trim() !== '')
}

function fits(blocks: readonly ToolResultContent[], maxBytes: number): boolean {
  const sumOf = (measure: (text: string) => number): number =>
    blocks.reduce((sum, block) => sum + (block.type === 'text' ? measure(block.text) : 0), 0)
  // No unit of UTF-16 takes more than three bytes, so short text need not be encoded.
  return sumOf(text => text.length * 3) <= maxBytes || sumOf(utf8Length) <= maxBytes
}

/** What the two notes about what was cut may take. */
const notesBytes = 128

/** Keeps blocks while they fit, cuts the first one that does not, and drops the text after it. */
function cutText(blocks: readonly ToolResultContent[], maxBytes: number): ToolResultContent[] {
  const kept: ToolResultContent[] = []
  let roomBytes = maxBytes - notesBytes
  let droppedBytes = 0
  for (const block of blocks) {
    if (block.type === 'image') {
      kept.push(block)
      continue
    }
    const bytes = utf8Length(block.text)
    if (bytes <= roomBytes) kept.push(block)
    else if (roomBytes > 0) kept.push(note(cutMiddle(block.text, roomBytes)))
    else droppedBytes += bytes
    roomBytes = Math.max(0, roomBytes - bytes)
  }
  if (droppedBytes > 0) kept.push(note(`[${droppedBytes} more bytes of output were cut]`))
  return kept
}

/** `text` with every lone surrogate replaced: providers refuse them. */
export function wellFormed(text: string): string {
  return isWellFormed(text) ? text : text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** Whether `text` holds no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

/** The start of `text`, at most `maxBytes` of UTF-8, cut between characters. */
export function cutEnd(text: string, maxBytes: number): string {
  const room = new Uint8Array(maxBytes)
  return text.slice(0, new TextEncoder().encodeInto(text, room).read)
}

function note(text: string): TextBlock {
  return Object.freeze({ type: 'text', text })
}

function boundImage(block: ImageBlock, maxImageBytes: number): ToolResultContent {
  const { mediaType, data } = block
  const size = data.kind === 'base64' ? data.base64.length : data.url.length
  if (size > maxImageBytes) {
    return note(`[an image of ${size} bytes was left out: more than the limit of ${maxImageBytes}]`)
  }
  return Object.freeze({
    type: 'image',
    mediaType: wellFormed(mediaType),
    data: Object.freeze(
      data.kind === 'base64'
        ? { kind: data.kind, base64: wellFormed(data.base64) }
        : { kind: data.kind, url: wellFormed(data.url) },
    ),
  })
}

/** Keeps the start and the end of `text`, where logs and test runs say what matters. */
function cutMiddle(text: string, maxBytes: number): string {
  const head = cutEnd(text, Math.ceil(maxBytes * 0.75))
  const bytes = new TextEncoder().encode(text)
  const headBytes = utf8Length(head)
  let tailStart = bytes.length - (maxBytes - headBytes)
  while (isContinuation(bytes[tailStart])) tailStart++
  const tail = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(tailStart))
  return `${head}\n[${tailStart - headBytes} bytes of output were cut here]\n${tail}`
}

/** Whether a byte of UTF-8 is not the first of its character. */
function isContinuation(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000
}

/** How many bytes `text` takes in UTF-8. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}
