import { type ContentBlock } from '@agent-spine/model'
import { type SessionEvent } from '@agent-spine/session'
import { callTitle, resultSummary } from './call-text.js'

/** Turns a log into lines for a person: `seq`, time since the first event, type, what it says. A run of chunks is one line. */
export function createLogLines(): { line(event: SessionEvent): string; end(): string } {
  let start: number | undefined
  let chunks: { readonly first: SessionEvent; count: number; text: string } | undefined

  function row({ seq, time, type, closer }: SessionEvent, what: string): string {
    const elapsed = `+${((time - (start ?? time)) / 1000).toFixed(3)}`
    return (
      `${String(seq).padStart(5)}  ${elapsed.padStart(9)}  ${type.padEnd(18)} ${what}${closer ? ' (repair)' : ''}`.trimEnd() +
      '\n'
    )
  }

  function end(): string {
    if (chunks === undefined) return ''
    const { first, count, text } = chunks
    chunks = undefined
    return row(first, `×${count}  ${resultSummary(text)}`)
  }

  return {
    line(event) {
      start ??= event.time
      if (event.type === 'assistant/chunk') {
        chunks ??= { first: event, count: 0, text: '' }
        chunks.count += 1
        chunks.text += event.data.chunk.type === 'text-delta' ? event.data.chunk.text : ''
        return ''
      }
      return end() + row(event, describe(event))
    },
    end,
  }
}

function describe(event: SessionEvent): string {
  switch (event.type) {
    case 'turn/start':
      return `turn ${event.data.turn}`
    case 'turn/end': {
      const { turn, reason } = event.data
      const why =
        reason.kind === 'aborted'
          ? ` by ${reason.cause.kind}`
          : reason.kind === 'error'
            ? `: ${reason.failure.message}`
            : ''
      return `turn ${turn} ${reason.kind}${why}`
    }
    case 'step/start':
    case 'step/end':
      return `step ${event.data.step}`
    case 'attempt/start':
    case 'attempt/end':
      return `attempt ${event.data.attempt}`
    case 'user/message':
      return messageText(event.data.message.content)
    case 'assistant/message': {
      const { message, interrupted } = event.data
      const calls = message.content.filter(({ type }) => type === 'tool-call').length
      return `${messageText(message.content)}${calls > 0 ? ` [${calls} calls]` : ''}${interrupted ? ' [interrupted]' : ''}`
    }
    case 'tool/call':
    case 'tool/sub-call': {
      const { callId, name, skipped } = event.data
      return `${callId}  ${callTitle(name, event.data.arguments)}${skipped ? '  skipped' : ''}`
    }
    case 'tool/dispatch':
      return event.data.callId
    case 'tool/result':
    case 'tool/late':
    case 'tool/sub-result': {
      const { message, error } = event.data
      const [block] = message.content
      if (block?.type !== 'tool-result') return ''
      const code = error?.code === undefined ? '' : `[${error.code}] `
      return `${block.toolCallId}  ${code}${resultSummary(contentText(block.content))}`
    }
    case 'inbox/spliced': {
      const { target, inserted, removed, outcome } = event.data
      return `${target} +${inserted.length} -${removed.length}${outcome === undefined ? '' : ` ${outcome}`}`
    }
    case 'request/header':
      return `${event.data.header.config.provider}:${event.data.header.config.model} ${event.data.reason}`
    case 'session/owner':
      return `${event.data.owner}${event.data.lostTail ? ' after a lost tail' : ''}`
    case 'session/end-seed':
      return event.data.from ?? ''
    default:
      return resultSummary(JSON.stringify(event.data))
  }
}

function messageText(content: readonly ContentBlock[]): string {
  return resultSummary(contentText(content))
}

function contentText(content: readonly ContentBlock[]): string {
  return content.map(block => (block.type === 'text' ? block.text : '')).join('')
}
