import { errorText } from '../describe-error.js'
import { callTitle, resultSummary, withoutControls } from './call-text.js'
import { type Paint } from './paint.js'
import { type RunEvent } from './run-event.js'

/** The lines a person reads about an event, once it is certain; `''` for what says nothing lasting. Remembers titles. */
export function createTalkLines(paint: Paint): (event: RunEvent) => string {
  const titles = new Map<string, string>()

  return event => {
    switch (event.type) {
      case 'session':
        return `${paint('dim', `session   ${event.id}\nlog       ${event.file}\nworkspace ${event.workspace}`)}\n`
      case 'repaired':
        return paint('dim', `repaired  ${event.events} events close what was left open`) + '\n'
      case 'answer':
        // An answer without calls is the last one: it goes to stdout.
        if (event.calls.length === 0 && !event.interrupted) return ''
        return answerLines(event, paint)
      case 'call':
      case 'call-skipped':
        titles.set(event.callId, callTitle(event.name, event.arguments))
        return ''
      case 'call-dispatched':
        return `${paint('dim', '▶')} ${titles.get(event.callId) ?? event.callId}\n`
      case 'call-result': {
        const mark = event.isError ? paint('red', '✗') : paint('green', '✓')
        const code = event.code === undefined ? '' : ` [${event.code}]`
        return `${mark} ${titles.get(event.callId) ?? event.callId}: ${resultSummary(event.text)}${code}\n`
      }
      case 'retry': {
        const wait = `${(event.delayMs / 1000).toFixed(1)} s`
        const what = `${withoutControls(event.message)} [${event.code}]`
        return `${paint('yellow', '↻')} ${what}; again in ${wait} (${event.retry} of ${event.maxRetries})\n`
      }
      case 'warning':
        return `${paint('yellow', '!')} ${withoutControls(event.message)}\n`
      case 'error':
        return errorText(event, paint)
      default:
        return ''
    }
  }
}

/** What the model said in a step; `''` where it only asked for calls. */
export function answerLines(
  { text, interrupted }: Extract<RunEvent, { type: 'answer' }>,
  paint: Paint,
): string {
  if (text === '') return ''
  return `${paint('cyan', '●')} ${withoutControls(text)}${interrupted ? ' (interrupted)' : ''}\n`
}
