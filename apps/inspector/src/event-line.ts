import type { ContentBlock, StreamChunk } from '@agent-spine/model'
import type { SessionEvent } from '@agent-spine/session'
import { resultCallId, resultText } from './tool-result.js'
import { oneLine } from './visible-text.js'
import { turnOutcome } from './work-spans.js'

const lineLength = 160

/** What an event says, on one line. */
export function eventLine(event: SessionEvent): string {
  return oneLine(describe(event), lineLength)
}

function describe(event: SessionEvent): string {
  switch (event.type) {
    case 'turn/start':
      return `turn ${event.data.turn}`
    case 'turn/end':
      return `turn ${event.data.turn}: ${turnOutcome(event)}`
    case 'step/start':
    case 'step/end':
      return `turn ${event.data.turn}, step ${event.data.step}`
    case 'attempt/start':
      return `attempt ${event.data.attempt}`
    case 'attempt/end': {
      const { attempt, failure } = event.data
      return `attempt ${attempt}${failure === undefined ? '' : `: ${failure.code} ${failure.message}`}`
    }
    case 'assistant/chunk':
      return chunkText(event.data.chunk)
    case 'user/message':
      return contentText(event.data.message.content)
    case 'assistant/message': {
      const { message, interrupted } = event.data
      const mark = interrupted === true ? '[interrupted] ' : ''
      return mark + contentText(message.content)
    }
    case 'tool/call':
    case 'tool/sub-call': {
      const { callId, name, skipped } = event.data
      return `${callId} ${name} ${skipped === true ? '[skipped] ' : ''}${event.data.arguments}`
    }
    case 'tool/dispatch':
      return event.data.callId
    case 'tool/result':
    case 'tool/late':
    case 'tool/sub-result': {
      const code =
        event.data.error === undefined ? '' : `[${event.data.error.code ?? event.data.error.name}] `
      return `${resultCallId(event.data) ?? ''} ${code}${resultText(event.data)}`
    }
    case 'inbox/spliced': {
      const { target, inserted, removed, outcome } = event.data
      return `${target}: +${inserted.length} −${removed.length}${outcome === undefined ? '' : ` ${outcome}`}`
    }
    case 'request/header': {
      const { config } = event.data.header
      return `${config.provider}:${config.model} (${event.data.reason})`
    }
    case 'session/owner':
      return `${event.data.owner}${event.data.lostTail === true ? ', after a lost tail' : ''}`
    default:
      return JSON.stringify(event.data)
  }
}

function chunkText(chunk: StreamChunk): string {
  switch (chunk.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-call-delta':
      return `${chunk.type} ${chunk.text}`
    case 'finish':
      return `finish ${chunk.reason.kind}`
    case 'block-start':
      return `block-start ${chunk.block.type}`
    default:
      return chunk.type
  }
}

function contentText(content: readonly ContentBlock[]): string {
  return content
    .map(block => {
      switch (block.type) {
        case 'text':
        case 'reasoning':
          return block.text
        case 'tool-call':
          return `→ ${block.name}`
        case 'tool-result':
          return `result of ${block.toolCallId}`
        case 'image':
          return `[${block.mediaType}]`
      }
    })
    .join(' ')
}
