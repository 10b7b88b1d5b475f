import type { ImageBlock, ToolResultBlock } from '@agent-spine/model'
import type { Dialect } from './dialect.js'
import { resultImage } from './image.js'
import type { ToolResultOutput } from './sdk-model.js'

/** A result on the wire, and the images that have no place in it. */
export interface WireOutput {
  readonly output: ToolResultOutput
  readonly left: readonly ImageBlock[]
}

/** Turns a result into an output: text where it is text, parts where it holds images and the provider reads them there. */
export function toolOutput({ content, isError }: ToolResultBlock, dialect: Dialect): WireOutput {
  const images = content.filter(block => block.type === 'image')
  // An error is told apart by its type, and a type for errors with parts does not exist.
  if (images.length > 0 && dialect.imagesInResults && isError !== true) {
    const value = content.map(block =>
      block.type === 'text' ? { type: 'text' as const, text: block.text } : resultImage(block, dialect),
    )
    return { output: { type: 'content', value }, left: [] }
  }
  let number = 0
  const lines = content.map(block =>
    block.type === 'text' ? block.text : `[image ${++number} follows, after the results]`,
  )
  return {
    output: { type: isError === true ? 'error-text' : 'text', value: lines.join('\n') },
    left: images,
  }
}
