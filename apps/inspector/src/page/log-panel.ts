import type { SessionEvent } from '@agent-spine/session'
import {
  eventKinds,
  isProblemEvent,
  parseFilter,
  passes,
  searchTextOf,
  type EventFilter,
} from '../event-filter.js'
import { eventLine } from '../event-line.js'
import type { Inspection } from '../inspection.js'
import { scrollToRow, virtualHeight, virtualWindow } from '../virtual-window.js'
import { visibleText } from '../visible-text.js'
import { element, oncePerFrame } from './element.js'
import { formatCount } from './format.js'
import type { PageActions, PagePart, PageState } from './page-state.js'

const rowHeight = 24
/** How long a search may hold the page before it draws again. */
const sliceMs = 8

/** The log: every event a row, of which only those in view are elements; filtered as one types. */
export interface LogPanel extends PagePart {
  focusSearch(): void
  setQuery(query: string): void
  /** Selects the row so many rows away from the selected one. */
  move(rows: number): void
}

export function logPanel(actions: PageActions): LogPanel {
  let state: PageState | undefined
  let seqs: readonly number[] = []
  const texts = new Map<number, string>()
  let searching = 0

  const search = element('input', {
    attributes: {
      type: 'search',
      placeholder: 'Search: words, type:tool/, seq:10-20, turn:0, call:ID, is:problem',
      'aria-label': 'Search the log',
      spellcheck: 'false',
    },
  })
  const kind = element('select', { attributes: { 'aria-label': 'Kind of event' } })
  kind.append(...eventKinds.map(value => element('option', { text: value, attributes: { value } })))
  const count = element('span', { class: 'note count', attributes: { role: 'status' } })
  const rows = element('div', { class: 'rows' })
  const canvas = element('div', { class: 'canvas' }, rows)
  const viewport = element(
    'div',
    {
      class: 'viewport',
      attributes: { tabindex: '0', role: 'listbox', 'aria-label': 'Events' },
    },
    canvas,
  )
  const draw = oncePerFrame(drawRows)

  search.addEventListener('input', () => void refilter())
  kind.addEventListener('change', () => void refilter())
  viewport.addEventListener('scroll', draw, { passive: true })
  new ResizeObserver(draw).observe(viewport)

  const list = () => ({ count: seqs.length, rowHeight, viewportHeight: viewport.clientHeight })

  function searchText(event: SessionEvent): string {
    const known = texts.get(event.seq)
    if (known !== undefined) return known
    const text = searchTextOf(event)
    texts.set(event.seq, text)
    return text
  }

  async function refilter(): Promise<void> {
    const run = ++searching
    const events = state?.inspection.events ?? []
    const filter = parseFilter(search.value, eventKinds.find(value => value === kind.value) ?? 'everything')
    const found: number[] = []
    let next = 0
    while (next < events.length) {
      next = searchSlice({ events, filter, found, next })
      if (run !== searching) return
      if (next < events.length) {
        count.textContent = `searching… ${formatCount(found.length)}`
        await new Promise(resolve => setTimeout(resolve))
        if (run !== searching) return
      }
    }
    seqs = found
    count.textContent = `${formatCount(seqs.length)} of ${formatCount(events.length)} events`
    const selected = state?.selected
    if (selected !== undefined) reveal(selected)
    drawRows()
  }

  function searchSlice(work: {
    readonly events: readonly SessionEvent[]
    readonly filter: EventFilter
    readonly found: number[]
    readonly next: number
  }): number {
    const until = performance.now() + sliceMs
    let { next } = work
    while (next < work.events.length) {
      const event = work.events[next++]
      if (event !== undefined && passes(event, work.filter, searchText)) work.found.push(event.seq)
      if (next % 64 === 0 && performance.now() > until) break
    }
    return next
  }

  /** The row of an event, or of the first one shown after it. */
  function rowOf(seq: number): number {
    let low = 0
    let high = seqs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((seqs[middle] ?? 0) < seq) low = middle + 1
      else high = middle
    }
    return low
  }

  function reveal(seq: number): void {
    canvas.style.height = `${virtualHeight(list())}px`
    if (viewport.clientHeight > 0) {
      viewport.scrollTop = scrollToRow(list(), Math.min(rowOf(seq), seqs.length - 1), viewport.scrollTop)
    }
  }

  function drawRows(): void {
    if (state?.tab !== 'log') return
    const { inspection, selected } = state
    canvas.style.height = `${virtualHeight(list())}px`
    const { first, end, top } = virtualWindow(list(), viewport.scrollTop)
    rows.style.transform = `translateY(${top}px)`
    rows.replaceChildren(...seqs.slice(first, end).map(seq => rowElement(inspection, seq, seq === selected)))
    if (selected !== undefined && seqs[rowOf(selected)] === selected) {
      viewport.setAttribute('aria-activedescendant', `event-${selected}`)
    } else viewport.removeAttribute('aria-activedescendant')
    if (seqs.length === 0) rows.replaceChildren(element('p', { class: 'empty', text: 'No event fits.' }))
  }

  rows.addEventListener('click', ({ target }) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-seq]') : null
    if (row !== null) actions.select(Number(row.dataset['seq']))
  })

  return {
    element: element(
      'div',
      { class: 'panel log' },
      element('div', { class: 'controls' }, search, kind, count),
      viewport,
    ),
    show(next, previous) {
      state = next
      if (previous?.inspection !== next.inspection) {
        const atEnd = viewport.scrollTop + viewport.clientHeight >= viewport.scrollHeight - rowHeight
        const follow = previous !== undefined && atEnd
        void refilter().then(() => {
          if (follow) viewport.scrollTop = viewport.scrollHeight
        })
        return
      }
      const isShown = previous.tab !== next.tab || previous.selected !== next.selected
      if (isShown && next.selected !== undefined) reveal(next.selected)
      draw()
    },
    focusSearch() {
      search.focus()
      search.select()
    },
    setQuery(query) {
      search.value = query
      kind.value = query === '' ? eventKinds[0] : 'everything'
      void refilter()
    },
    move(by) {
      if (seqs.length === 0) return
      const selected = state?.selected
      const row = selected === undefined ? (by > 0 ? -1 : 0) : rowOf(selected)
      const isOnRow = selected !== undefined && seqs[row] === selected
      const to = selected !== undefined && !isOnRow && by > 0 ? row + by - 1 : row + by
      actions.select(seqs[Math.max(0, Math.min(seqs.length - 1, to))])
    },
  }
}

function rowElement({ events, times }: Inspection, seq: number, isSelected: boolean): HTMLElement {
  const event = events[seq]
  if (event === undefined) return element('div', { class: 'row' })
  const elapsed = ((times[seq] ?? 0) - (times[0] ?? 0)) / 1000
  const group = event.type.split('/')[0] ?? ''
  const marks = [
    'row',
    `group-${group.replace(/[^a-z-]/g, '')}`,
    ...(isSelected ? ['is-selected'] : []),
    ...(isProblemEvent(event) ? ['is-problem'] : []),
  ]
  return element(
    'div',
    {
      class: marks.join(' '),
      attributes: {
        'data-seq': String(seq),
        id: `event-${seq}`,
        role: 'option',
        'aria-selected': String(isSelected),
      },
    },
    element('span', { class: 'seq', text: String(seq) }),
    element('span', { class: 'time', text: `+${elapsed.toFixed(3)}` }),
    element('span', { class: 'type', text: visibleText(event.type) }),
    element('span', { class: 'line', text: eventLine(event) }),
  )
}
