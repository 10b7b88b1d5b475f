import { LlmError, type ImageBlock } from '@agent-spine/model'
import type { Dialect } from './dialect.js'
import type { FileData, FilePart, ToolResultItem } from './sdk-model.js'

/** An image of a message of the user. */
export function imagePart({ mediaType, data }: ImageBlock, { version }: Dialect): FilePart {
  if (version === 'v4') return { type: 'file', mediaType, data: fileData(data) }
  return { type: 'file', mediaType, data: data.kind === 'url' ? toUrl(data.url) : data.base64 }
}

/** An image within a tool result. Version 2 takes none by address; then the address is what is sent. */
export function resultImage({ mediaType, data }: ImageBlock, { version }: Dialect): ToolResultItem {
  if (version === 'v4') return { type: 'file', mediaType, data: fileData(data) }
  if (data.kind === 'base64') {
    return { type: version === 'v2' ? 'media' : 'image-data', data: data.base64, mediaType }
  }
  return version === 'v2'
    ? { type: 'text', text: `[an image (${mediaType}) at ${data.url}]` }
    : { type: 'image-url', url: data.url }
}

function fileData(data: ImageBlock['data']): FileData {
  return data.kind === 'url' ? { type: 'url', url: toUrl(data.url) } : { type: 'data', data: data.base64 }
}

function toUrl(address: string): URL {
  try {
    return new URL(address)
  } catch (cause) {
    const found = JSON.stringify(address.slice(0, 200))
    throw new LlmError('INVALID_REQUEST', `expected the address of an image to be a URL, found ${found}`, {
      cause,
    })
  }
}
