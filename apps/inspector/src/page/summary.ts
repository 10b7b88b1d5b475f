import type { CallSpan } from '../call-spans.js'
import type { CallStatus } from '../call-status.js'
import { visibleText } from '../visible-text.js'
import { statusMarks } from './call-badge.js'
import { button, element } from './element.js'
import { formatDuration, plural } from './format.js'
import type { PageActions, PagePart, PageState } from './page-state.js'

const shownProblems = 12

/** The top of the page: which session, how it ended, and every call that a person should look at, one click away. */
export function summaryPart(actions: PageActions, tools: readonly HTMLElement[]): PagePart {
  const heading = element('h1')
  const facts = element('p', { class: 'facts' })
  const damage = element('p', { class: 'damage', attributes: { role: 'alert' } })
  const problems = element('section', { class: 'problems', attributes: { 'aria-label': 'Calls to look at' } })
  let areAllShown = false

  function showProblems(calls: readonly CallSpan[], selected: string | undefined): void {
    const shown = areAllShown ? calls : calls.slice(0, shownProblems)
    const chips = shown.map(call => problemChip(call, call.callId === selected, actions))
    const rest = calls.length - shown.length
    problems.replaceChildren(
      element('h2', { text: calls.length === 0 ? 'Every call ran and answered.' : problemTitle(calls) }),
      ...chips,
      ...(rest > 0
        ? [
            button(plural(rest, 'more call'), () => {
              areAllShown = true
              showProblems(calls, selected)
            }),
          ]
        : []),
    )
  }

  return {
    element: element(
      'header',
      { class: 'summary' },
      element('div', { class: 'title' }, heading, element('div', { class: 'tools' }, ...tools)),
      damage,
      facts,
      problems,
    ),
    show(state, previous) {
      const { inspection, about } = state
      if (previous === undefined) {
        heading.textContent = visibleText(about.session)
        damage.hidden = about.damage === undefined
        damage.textContent = `✕ Only a part of this session can be read: ${visibleText(about.damage ?? '')}`
      }
      facts.replaceChildren(...factsOf(state, actions))
      const selected = state.selectedCall
      const isSame = previous?.inspection === inspection && selected === previous.selectedCall
      if (!isSame) showProblems(inspection.problems, selected)
    },
  }
}

function factsOf(state: PageState, { openTab }: PageActions): readonly HTMLElement[] {
  const { inspection, checks, connection } = state
  const { work, calls, events, times } = inspection
  const lastTurn = work.findLast(({ kind }) => kind === 'turn')
  const length = (times.at(-1) ?? 0) - (times[0] ?? 0)
  const turns = work.filter(({ kind }) => kind === 'turn').length
  const ending = lastTurn === undefined ? 'no turn yet' : `last turn: ${visibleText(lastTurn.outcome)}`
  const verdict = checks?.verdict ?? 'checking…'
  return [
    element('span', { class: lastTurn?.isProblem === true ? 'fact bad' : 'fact', text: ending }),
    button(`log: ${verdict}`, () => openTab('checks'), {
      class: `fact link verdict-${checks?.verdict ?? 'pending'}`,
      title: 'Show the checks',
    }),
    ...(connection === 'none'
      ? []
      : [element('span', { class: `fact connection ${connection}`, text: connectionText[connection] })]),
    element('span', { class: 'fact', text: plural(turns, 'turn') }),
    element('span', { class: 'fact', text: plural(calls.length, 'call') }),
    element('span', { class: 'fact', text: plural(events.length, 'event') }),
    element('span', { class: 'fact', text: formatDuration(length) }),
  ]
}

const connectionText = {
  following: '● live',
  lost: '○ connection lost, trying again',
  ended: '○ no longer followed',
}

function problemTitle(calls: readonly CallSpan[]): string {
  const counts = new Map<CallStatus, number>()
  for (const { status } of calls) counts.set(status, (counts.get(status) ?? 0) + 1)
  const parts = [...counts].map(([status, count]) => `${count} ${status}`)
  return `${plural(calls.length, 'call')} to look at: ${parts.join(', ')}`
}

function problemChip(call: CallSpan, isSelected: boolean, { selectCall }: PageActions): HTMLElement {
  const { callId, status, code, title } = call
  const chip = button('', () => selectCall(callId), {
    class: `chip status-${status}`,
    title: 'Show what happened and why',
    attributes: { 'aria-pressed': String(isSelected) },
  })
  chip.append(
    element('b', { text: `${statusMarks[status]} ${status}` }),
    element('span', { text: title }),
    ...(code === undefined ? [] : [element('code', { text: visibleText(code) })]),
  )
  return chip
}
