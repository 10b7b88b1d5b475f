import type { SessionEvent } from '@agent-spine/session'
import type { CallSpan } from '../call-spans.js'
import { explainCall } from '../explain-call.js'
import { visibleText } from '../visible-text.js'
import { callBadge } from './call-badge.js'
import { button, element } from './element.js'
import { formatDuration, formatMoment } from './format.js'
import { longText, prettyJson } from './long-text.js'
import type { PageActions, PagePart, PageState } from './page-state.js'

/** What is known of the selected event, and of the call it is about. */
export function detailsPart(actions: PageActions): PagePart {
  const content = element('div', { class: 'details-content', attributes: { 'aria-live': 'polite' } })
  const root = element('aside', { class: 'details', attributes: { 'aria-label': 'Details' } }, content)
  return {
    element: root,
    show(state, previous) {
      const { selected, selectedCall, inspection } = state
      const isSame = previous?.selected === selected && previous?.selectedCall === selectedCall
      if (isSame && previous?.inspection === inspection) return
      const event = selected === undefined ? undefined : inspection.events[selected]
      root.classList.toggle('is-empty', event === undefined)
      if (event === undefined) {
        content.replaceChildren(
          element('p', {
            class: 'empty',
            text: 'Choose a call or an event to see what happened. Press ? for the keys.',
          }),
        )
        return
      }
      const call = inspection.callById.get(selectedCall ?? '')
      content.replaceChildren(
        button('×', () => actions.select(undefined), {
          class: 'close',
          title: 'Close (Esc)',
          attributes: { 'aria-label': 'Close the details' },
        }),
        ...(call === undefined ? [] : callDetails(call, state, actions)),
        ...eventDetails(event, state, actions),
      )
      if (!isSame) content.scrollTop = 0
    },
  }
}

function callDetails(call: CallSpan, state: PageState, actions: PageActions): readonly HTMLElement[] {
  const { status, code, callId, name, text } = call
  return [
    element('h2', { text: visibleText(call.title) }),
    element('p', {}, callBadge(status, code === undefined ? undefined : visibleText(code))),
    element(
      'p',
      { class: 'why' },
      element('b', { text: 'Why: ' }),
      explainCall(call),
      ...whyMore(call, state, actions),
    ),
    timing(call, state, actions),
    element('h3', { text: 'Arguments' }),
    longText(prettyJson(call.arguments)),
    ...(call.resultSeq === undefined
      ? []
      : [element('h3', { text: 'What the model reads' }), longText(prettyJson(text))]),
    element(
      'p',
      { class: 'buttons' },
      button('All events of this call', () => actions.filterLog(`call:${callId}`)),
      ...(call.parentCallId === undefined
        ? []
        : [button('The call that made it', () => actions.selectCall(call.parentCallId ?? ''))]),
    ),
    element('p', { class: 'note', text: `${visibleText(name)}, id ${visibleText(callId)}` }),
  ]
}

/** The turn's end, for a call that did not end by itself; who wrote the result; a later outcome. */
function whyMore(
  call: CallSpan,
  { inspection }: PageState,
  actions: PageActions,
): readonly (Node | string)[] {
  const more: (Node | string)[] = []
  const turn = inspection.work.find(({ kind, turn: number }) => kind === 'turn' && number === call.turn)
  if (turn?.isProblem === true && turn.outcome !== 'open' && call.status !== 'done') {
    more.push(
      ` The turn ended: ${visibleText(turn.outcome)} (`,
      button(`seq ${turn.endSeq}`, () => actions.select(turn.endSeq), { class: 'seq-link' }),
      ').',
    )
  }
  if (call.isCloser) more.push(' The result was added by repair, after the process had ended.')
  const { lateSeq, endSeq, resultSeq = Infinity } = call
  if (lateSeq !== undefined) {
    more.push(
      lateSeq > resultSeq
        ? ' Its outcome came later: '
        : ' Its outcome was written before there was a result: ',
      button(`seq ${lateSeq}`, () => actions.select(lateSeq), { class: 'seq-link' }),
      '.',
    )
  }
  if (!call.isEndKnown && call.dispatched !== undefined) {
    more.push(
      ' Nobody knows when its body ended; the last event that its process wrote is ',
      button(`seq ${endSeq}`, () => actions.select(endSeq), { class: 'seq-link' }),
      '.',
    )
  }
  return more
}

function timing(call: CallSpan, { inspection: { times } }: PageState, actions: PageActions): HTMLElement {
  const origin = times[0] ?? 0
  const rows: (readonly [string, number, number | undefined])[] = [
    ['asked for', times[call.askedSeq] ?? 0, call.askedSeq],
    ...(call.isStarted
      ? [[call.status === 'skipped' ? 'skipped' : 'started', call.start, call.startSeq] as const]
      : []),
    ...(call.dispatched === undefined ? [] : [['body began', call.dispatched, call.dispatchSeq] as const]),
    ...bodyEnd(call, times),
    ...(call.resultSeq === undefined
      ? []
      : [[call.isCloser ? 'repaired' : 'committed', times[call.resultSeq] ?? 0, call.resultSeq] as const]),
  ]
  return element(
    'table',
    { class: 'timing' },
    ...rows.map(([name, time, seq], index) => {
      const before = rows[index - 1]?.[1]
      return element(
        'tr',
        {},
        element('th', { text: name, attributes: { scope: 'row' } }),
        element('td', { text: formatMoment(time - origin) }),
        element('td', { text: before === undefined ? '' : `after ${formatDuration(time - before)}` }),
        element(
          'td',
          {},
          seq !== undefined && button(`seq ${seq}`, () => actions.select(seq), { class: 'seq-link' }),
        ),
      )
    }),
    ...(call.dispatched === undefined
      ? [
          element(
            'tr',
            {},
            element('th', { text: 'body' }),
            element('td', { text: notRun(call), attributes: { colspan: '3' } }),
          ),
        ]
      : []),
  )
}

/** When the body ended, and how that is known; where it is not, the last moment of which the log tells. */
function bodyEnd(
  call: CallSpan,
  times: Float64Array,
): readonly (readonly [string, number, number | undefined])[] {
  const { settled, lateSeq, isEndKnown, end, endSeq } = call
  if (settled !== undefined) {
    const isLate = lateSeq !== undefined && times[lateSeq] === settled
    return [isLate ? ['body ended', settled, lateSeq] : ['body ended, it says', settled, undefined]]
  }
  return isEndKnown ? [] : [['last known', end, endSeq]]
}

function notRun({ status, parentCallId }: CallSpan): string {
  if (parentCallId !== undefined) return 'ran inside another call; its start is not marked'
  return status === 'open' ? 'has not begun' : 'never began'
}

function eventDetails(event: SessionEvent, state: PageState, actions: PageActions): readonly HTMLElement[] {
  const { seq, time, type } = event
  return [
    element('h2', { class: 'event-title', text: `${visibleText(type)}, seq ${seq}` }),
    element('p', {
      class: 'note',
      text: `${new Date(time).toISOString()}${event.closer === true ? ', added by repair' : ''}`,
    }),
    element(
      'p',
      { class: 'buttons' },
      button('Previous', () => actions.select(Math.max(0, seq - 1))),
      button('Next', () => actions.select(Math.min(state.inspection.events.length - 1, seq + 1))),
      button('Conversation here', () => actions.showConversation(seq)),
    ),
    longText(JSON.stringify(event, null, 2), 'text raw'),
  ]
}
