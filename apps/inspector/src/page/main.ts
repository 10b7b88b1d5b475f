import type { SessionEvent } from '@agent-spine/session'
import { checkLog } from '../checks.js'
import { callOfEvent, inspect } from '../inspection.js'
import { checksPanel } from './checks-panel.js'
import { conversationPanel } from './conversation-panel.js'
import { detailsPart } from './details.js'
import { button, element, oncePerFrame } from './element.js'
import { readEmbedded } from './embedded.js'
import { helpDialog } from './help.js'
import { listenToKeys } from './keys.js'
import { followServer } from './live.js'
import { logPanel } from './log-panel.js'
import { tabs, type PageActions, type PageState, type Tab } from './page-state.js'
import { summaryPart } from './summary.js'
import { nextTheme } from './theme.js'
import { tokensPanel } from './tokens-panel.js'
import { waterfallPart } from './waterfall.js'

void start()

async function start(): Promise<void> {
  const { about, events, checks } = await readEmbedded()
  let state: PageState = {
    about,
    inspection: inspect(events),
    checks,
    connection: 'none',
    selected: undefined,
    selectedCall: undefined,
    tab: 'log',
    conversationSeq: Math.max(0, events.length - 1),
  }

  function change(part: Partial<PageState>): void {
    const previous = state
    state = { ...state, ...part }
    for (const shown of parts) shown.show(state, previous)
    for (const [tab, tabButton] of tabButtons) {
      tabButton.setAttribute('aria-selected', String(tab === state.tab))
      tabButton.tabIndex = tab === state.tab ? 0 : -1
      panels[tab].element.hidden = tab !== state.tab
    }
  }

  const actions: PageActions = {
    select(selected) {
      const event = selected === undefined ? undefined : state.inspection.events[selected]
      change({ selected, selectedCall: event && callOfEvent(event) })
    },
    selectCall(callId) {
      const call = state.inspection.callById.get(callId)
      if (call !== undefined)
        change({
          selected: call.resultSeq ?? (call.isStarted ? call.startSeq : call.askedSeq),
          selectedCall: callId,
        })
    },
    openTab: tab => change({ tab }),
    showConversation: conversationSeq => change({ conversationSeq, tab: 'conversation' }),
    filterLog(query) {
      change({ tab: 'log' })
      log.setQuery(query)
    },
  }

  const help = helpDialog()
  const theme = button('◐', switchTheme, { title: 'Theme (t)', attributes: { 'aria-label': 'Theme' } })
  const log = logPanel(actions)
  const waterfall = waterfallPart(actions)
  const panels = {
    log,
    conversation: conversationPanel(actions),
    checks: checksPanel(actions),
    tokens: tokensPanel(actions),
  }
  const helpButton = button('?', () => help.showModal(), {
    title: 'Keys (?)',
    attributes: { 'aria-label': 'Keys' },
  })
  const summary = summaryPart(actions, [theme, helpButton])
  const details = detailsPart(actions)
  const parts = [summary, waterfall, ...Object.values(panels), details]
  const tabButtons = new Map<Tab, HTMLButtonElement>(
    tabs.map((tab, index) => [
      tab,
      button(tab, () => actions.openTab(tab), {
        title: `${tab} (${index + 1})`,
        attributes: { role: 'tab' },
      }),
    ]),
  )

  function switchTheme(): void {
    theme.title = `Theme: ${nextTheme()} (t)`
  }

  document
    .getElementById('app')
    ?.replaceChildren(
      summary.element,
      waterfall.element,
      element(
        'div',
        { class: 'main' },
        element(
          'section',
          { class: 'tabbed' },
          element('div', { class: 'tabs', attributes: { role: 'tablist' } }, ...tabButtons.values()),
          ...Object.values(panels).map(({ element: panel }) => panel),
        ),
        details.element,
      ),
      help,
    )
  for (const part of parts) part.show(state, undefined)
  change({})

  listenToKeys({
    moveEvent(by) {
      if (state.tab !== 'log') change({ tab: 'log' })
      log.move(by)
    },
    moveCall: where => waterfall.moveTo(where),
    moveProblem(by) {
      const { problems } = state.inspection
      const index = problems.findIndex(({ callId }) => callId === state.selectedCall)
      const next = index === -1 ? (by === 1 ? 0 : problems.length - 1) : index + by
      const call = problems[(next + problems.length) % problems.length]
      if (call !== undefined) actions.selectCall(call.callId)
    },
    edge: where => log.move(where === 'first' ? -Infinity : Infinity),
    search() {
      change({ tab: 'log' })
      log.focusSearch()
    },
    tab(index) {
      const tab = tabs[index]
      if (tab !== undefined) change({ tab })
    },
    zoom: factor => waterfall.zoom(factor),
    fit: () => waterfall.fit(),
    theme: switchTheme,
    help: () => help.showModal(),
    escape() {
      // An open dialog closes itself.
      if (help.open) return
      if (document.activeElement instanceof HTMLInputElement) {
        log.setQuery('')
        document.activeElement.blur()
      } else actions.select(undefined)
    },
  })

  const arrived: SessionEvent[] = [...events]
  const takeIn = oncePerFrame(() => {
    const atEnd = state.conversationSeq >= state.inspection.events.length - 1
    change({
      inspection: inspect([...arrived]),
      ...(atEnd && { conversationSeq: Math.max(0, arrived.length - 1) }),
    })
    check()
  })
  if (about.live === true) {
    followServer(events.length, {
      events(more) {
        arrived.push(...more)
        takeIn()
      },
      connection: connection => change({ connection }),
    })
  }

  let checking: ReturnType<typeof setTimeout> | undefined
  if (checks === undefined) check()

  /** The slowest work, for a page that came without it: after the page can be seen, and once things are quiet. */
  function check(): void {
    clearTimeout(checking)
    checking = setTimeout(() => change({ checks: checkLog(state.inspection.events) }), 50)
  }
}
