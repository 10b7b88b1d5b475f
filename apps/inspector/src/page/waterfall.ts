import { callPhases, type CallPhase } from '../call-phases.js'
import type { CallSpan } from '../call-spans.js'
import { isProblem } from '../call-status.js'
import { drawnBars, type AxisView, type DrawnBar } from '../drawn-bars.js'
import type { Inspection, Lane } from '../inspection.js'
import { visibleText } from '../visible-text.js'
import type { WorkSpan } from '../work-spans.js'
import { noteBeside } from './bar-note.js'
import { statusMarks } from './call-badge.js'
import { button, element, oncePerFrame } from './element.js'
import { formatDuration, formatMoment, plural, roundStep } from './format.js'
import type { PageActions, PagePart, PageState } from './page-state.js'
import { fitted, moved, showing, zoomed } from './waterfall-view.js'

/** When everything ran: a lane per pool slot, a bar per call. */
export interface Waterfall extends PagePart {
  zoom(factor: number): void
  fit(): void
  /** Selects another call: the next or previous one, or the first or last. */
  moveTo(where: 'next' | 'previous' | 'first' | 'last'): void
}

export function waterfallPart(actions: PageActions): Waterfall {
  let state: PageState | undefined
  let view = { from: 0, to: 1 }
  let isFitted = true

  const labels = element('div', { class: 'lane-labels', attributes: { 'aria-hidden': 'true' } })
  const ticks = element('div', { class: 'ticks' })
  const lanes = element('div', { class: 'lanes' })
  const overlay = element('div', { class: 'overlay' })
  const plot = element(
    'div',
    {
      class: 'plot',
      attributes: {
        tabindex: '0',
        role: 'group',
        'aria-label': 'Waterfall of calls. Left and right choose a call, plus and minus zoom, 0 shows all.',
      },
    },
    ticks,
    lanes,
    overlay,
  )
  const draw = oncePerFrame(drawNow)
  new ResizeObserver(draw).observe(plot)

  function setView(next: { from: number; to: number }, fits = false): void {
    view = next
    isFitted = fits
    draw()
  }

  const length = () => state?.inspection.axis.length ?? 1
  const width = () => Math.max(1, plot.clientWidth)
  const zoomAt = (factor: number, at = (view.from + view.to) / 2) =>
    setView(zoomed(view, { factor, at, length: length() }))
  const pan = (share: number) => setView(moved(view, share * (view.to - view.from), length()))
  const fit = () => setView(fitted(length()), true)

  plot.addEventListener(
    'wheel',
    event => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey
      if (!event.ctrlKey && !event.metaKey && !sideways) return
      event.preventDefault()
      const { left } = plot.getBoundingClientRect()
      const at = view.from + ((event.clientX - left) / width()) * (view.to - view.from)
      if (event.ctrlKey || event.metaKey) zoomAt(Math.exp(event.deltaY / 300), at)
      else pan((event.deltaX || event.deltaY) / width())
    },
    { passive: false },
  )
  followDrag(plot, distance => pan(-distance / width()))

  function drawNow(): void {
    if (state === undefined) return
    const { inspection } = state
    if (isFitted) view = fitted(inspection.axis.length)
    const pixels: AxisView = { ...view, width: width() }
    const chosen = state.selectedCall
    labels.replaceChildren(
      ...inspection.lanes.map(({ label, hint, spans }) =>
        element('div', {
          class: 'lane-label',
          text: label,
          title: `${plural(spans.length, 'bar')} of ${hint}`,
        }),
      ),
    )
    lanes.replaceChildren(
      ...inspection.lanes.map(lane => laneElement(lane, { inspection, pixels, chosen, actions, setView })),
    )
    ticks.replaceChildren(...tickElements(inspection, pixels))
    overlay.replaceChildren(...overlayElements(inspection, pixels))
  }

  return {
    element: element(
      'section',
      { class: 'waterfall', attributes: { 'aria-label': 'When each call ran' } },
      element(
        'div',
        { class: 'waterfall-head' },
        element('h2', { text: 'When each call ran' }),
        legend(),
        element(
          'div',
          { class: 'tools' },
          button('−', () => zoomAt(2), { title: 'Zoom out (-)', attributes: { 'aria-label': 'Zoom out' } }),
          button('+', () => zoomAt(0.5), { title: 'Zoom in (+)', attributes: { 'aria-label': 'Zoom in' } }),
          button('◀', () => pan(-0.5), { title: 'Earlier', attributes: { 'aria-label': 'Earlier' } }),
          button('▶', () => pan(0.5), { title: 'Later', attributes: { 'aria-label': 'Later' } }),
          button('All', fit, { title: 'Show all (0)' }),
        ),
      ),
      element('div', { class: 'waterfall-body' }, labels, plot),
    ),
    show(next, previous) {
      state = next
      const chosen = next.selectedCall
      const call = chosen === undefined ? undefined : next.inspection.callById.get(chosen)
      const isNew = previous === undefined || previous.selectedCall !== chosen
      if (call !== undefined && isNew) {
        const { axis } = next.inspection
        const shown = showing(view, {
          from: axis.position(call.start),
          to: axis.position(call.end),
          length: axis.length,
        })
        if (shown !== view) setView(shown)
      }
      if (isNew || previous.inspection !== next.inspection) draw()
    },
    zoom: factor => zoomAt(factor),
    fit,
    moveTo(where) {
      const calls = state?.inspection.calls ?? []
      const index = calls.findIndex(({ callId }) => callId === state?.selectedCall)
      const to = {
        next: Math.min(calls.length - 1, index + 1),
        previous: index === -1 ? calls.length - 1 : Math.max(0, index - 1),
        first: 0,
        last: calls.length - 1,
      }[where]
      const call = calls[to]
      if (call !== undefined) actions.selectCall(call.callId)
    },
  }
}

interface LaneContext {
  readonly inspection: Inspection
  readonly pixels: AxisView
  readonly chosen: string | undefined
  readonly actions: PageActions
  readonly setView: (view: { from: number; to: number }) => void
}

function isCall(span: CallSpan | WorkSpan): span is CallSpan {
  return 'callId' in span
}

function laneElement(lane: Lane, context: LaneContext): HTMLElement {
  const { axis } = context.inspection
  const spans = lane.spans.map(span => ({
    from: axis.position(span.start),
    to: axis.position(span.end),
    severity: (isCall(span) ? isProblem(span.status) : span.isProblem) ? 1 : 0,
  }))
  const bars = drawnBars(spans, context.pixels)
  const made: HTMLElement[] = []
  let taken = 0
  for (const [index, bar] of bars.entries()) {
    const span = lane.spans[bar.first]
    const end = bar.x + bar.width
    if (span === undefined || bar.first !== bar.last) made.push(groupBar(bar, lane, context))
    else if (!isCall(span)) made.push(workBar(bar, span, context))
    else {
      const text = callText(span)
      const free = { from: taken, to: bars[index + 1]?.x ?? context.pixels.width }
      const note = bar.width < notedWidth ? noteBeside(text, { from: bar.x, to: end }, free) : undefined
      made.push(callBar(bar, span, { ...context, isLabelled: note === undefined }))
      if (note !== undefined) {
        const said = element('span', { class: `bar-note status-${span.status}`, text })
        if (note.to <= bar.x) said.classList.add('is-before')
        made.push(placed({ x: note.from, width: note.to - note.from }, said))
        taken = note.to
      }
    }
    taken = Math.max(taken, end)
  }
  return element('div', { class: 'lane' }, ...made)
}

function callText({ status, title, code }: CallSpan): string {
  const mark = isProblem(status) ? `${statusMarks[status]} ` : ''
  return `${mark}${visibleText(title)}${code === undefined ? '' : ` · ${visibleText(code)}`}`
}

function placed(bar: Pick<DrawnBar, 'x' | 'width'>, made: HTMLElement): HTMLElement {
  made.style.left = `${bar.x}px`
  made.style.width = `${bar.width}px`
  return made
}

const labelledWidth = 34
/** A narrower bar of a call says what it is beside itself, where there is room. */
const notedWidth = 80

function callBar(
  bar: DrawnBar,
  call: CallSpan,
  { actions, chosen, pixels, inspection, isLabelled }: LaneContext & { readonly isLabelled: boolean },
): HTMLElement {
  const { status, code, title, callId } = call
  const phases = callPhases(call)
  const said = `${title}: ${status}${code === undefined ? '' : ` (${code})`}, ${phases
    .map(phaseText)
    .join(', ')}`
  const made = element('button', {
    class: `bar call-bar status-${status}${endClass(phases.every(({ isEndKnown }) => isEndKnown))}${callId === chosen ? ' is-selected' : ''}`,
    title: visibleText(said),
    attributes: { type: 'button', tabindex: '-1', 'data-call': callId },
    onClick: () => actions.selectCall(callId),
  })
  made.append(...phases.flatMap(phase => phaseElement(phase, { bar, pixels, inspection })))
  if (isLabelled && bar.width >= labelledWidth) {
    made.append(element('span', { class: 'bar-label', text: callText(call) }))
  } else if (isProblem(status)) {
    made.append(element('span', { class: 'bar-mark', text: statusMarks[status] }))
  }
  return placed(bar, made)
}

function phaseText({ name, from, to, isEndKnown }: CallPhase): string {
  if (name === 'not run' && from === to) return name
  return `${name} ${knownDuration(to - from, isEndKnown)}`
}

function knownDuration(ms: number, isEndKnown: boolean): string {
  return isEndKnown ? formatDuration(ms) : `${formatDuration(ms)} known, end unknown`
}

function endClass(isEndKnown: boolean): string {
  return isEndKnown ? '' : ' is-end-unknown'
}

const phaseClass: Readonly<Record<CallPhase['name'], string>> = {
  prepare: 'prepare',
  body: 'body',
  'waiting for its turn': 'waiting',
  'not run': 'not-run',
}

/** A phase as a stretch of its bar, cut where the bar is. */
function phaseElement(
  { name, from, to, isEndKnown }: CallPhase,
  { bar, pixels, inspection }: { readonly bar: DrawnBar } & Pick<LaneContext, 'pixels' | 'inspection'>,
): readonly HTMLElement[] {
  const scale = pixels.width / (pixels.to - pixels.from)
  const at = (time: number) => (inspection.axis.position(time) - pixels.from) * scale - bar.x
  const left = Math.max(0, at(from))
  const right = name === 'not run' ? bar.width : Math.min(bar.width, at(to))
  if (right - left < 0.5) return []
  const stretch = element('span', { class: `phase ${phaseClass[name]}${endClass(isEndKnown)}` })
  stretch.style.left = `${left}px`
  stretch.style.width = `${right - left}px`
  return [stretch]
}

function workBar(bar: DrawnBar, span: WorkSpan, { actions }: LaneContext): HTMLElement {
  const number = { turn: span.turn, step: span.step, attempt: span.attempt }[span.kind] ?? 0
  const name = `${span.kind} ${number}`
  const said = `${name}: ${span.outcome}, ${knownDuration(span.end - span.start, span.isEndKnown)}`
  const made = element('button', {
    class: `bar work-bar kind-${span.kind}${span.isProblem ? ' is-problem' : ''}${endClass(span.isEndKnown)}`,
    title: visibleText(said),
    attributes: { type: 'button', tabindex: '-1' },
    onClick: () => actions.select(span.isProblem ? span.endSeq : span.startSeq),
  })
  const text = span.isProblem ? `${name}: ${visibleText(span.outcome)}` : name
  if (bar.width >= labelledWidth) made.append(element('span', { class: 'bar-label', text }))
  return placed(bar, made)
}

function groupBar(bar: DrawnBar, lane: Lane, { inspection: { axis }, setView }: LaneContext): HTMLElement {
  const count = bar.last - bar.first + 1
  const from = axis.position(lane.spans[bar.first]?.start ?? 0)
  const to = axis.position(lane.spans[bar.last]?.end ?? 0)
  const made = element('button', {
    class: `bar group-bar${bar.severity > 0 ? ' is-problem' : ''}`,
    title: `${count} bars too close to tell apart${bar.severity > 0 ? ', problems among them' : ''}: click to zoom`,
    attributes: { type: 'button', tabindex: '-1' },
    onClick: () => {
      const margin = Math.max(1, (to - from) * 0.1)
      setView({ from: Math.max(0, from - margin), to: to + margin })
    },
  })
  const mark = bar.severity > 0 ? '! ' : ''
  if (bar.width >= labelledWidth)
    made.append(element('span', { class: 'bar-label', text: `${mark}${count}×` }))
  else if (mark !== '') made.append(element('span', { class: 'bar-mark', text: '!' }))
  return placed(bar, made)
}

function tickElements({ axis }: Inspection, { from, to, width }: AxisView): readonly HTMLElement[] {
  const step = roundStep(((to - from) / width) * 90)
  const scale = width / (to - from)
  const made: HTMLElement[] = []
  for (let at = Math.ceil(from / step) * step; at <= Math.min(to, axis.length); at += step) {
    const tick = element('span', { class: 'tick', text: formatMoment(axis.time(at) - axis.time(0), step) })
    tick.style.left = `${(at - from) * scale}px`
    made.push(tick)
  }
  return made
}

const mostLines = 200

/** Barriers, and where idle time was cut. Where there are more than can be told apart, none. */
function overlayElements(
  { axis, barriers }: Inspection,
  { from, to, width }: AxisView,
): readonly HTMLElement[] {
  const scale = width / (to - from)
  const isShown = (position: number) => position >= from && position <= to
  const lines = barriers
    .map(barrier => ({ ...barrier, position: axis.position(barrier.time) }))
    .filter(({ position }) => isShown(position))
  const cuts = axis.cuts.filter(({ position }) => isShown(position))
  const made: HTMLElement[] = []
  for (const { position, waitedFor } of lines.length > mostLines ? [] : lines) {
    const title = `Barrier: the next call started only after ${plural(waitedFor, 'call')} before it had committed`
    const line = element('span', { class: 'barrier', title })
    line.style.left = `${(position - from) * scale}px`
    made.push(line)
  }
  for (const { position, cutMs } of cuts.length > mostLines ? [] : cuts) {
    const cut = element('span', {
      class: 'cut',
      title: `${formatDuration(cutMs)} without any event are left out here`,
    })
    cut.style.left = `${(position - from) * scale}px`
    made.push(cut)
  }
  return made
}

function legend(): HTMLElement {
  const entries = [
    ['phase prepare', 'prepare'],
    ['phase body', 'body'],
    ['phase waiting', 'waits for its turn'],
    ['end-key', 'end unknown'],
    ['barrier-key', 'barrier'],
    ['problem-key', 'look here'],
  ]
  return element(
    'ul',
    { class: 'legend' },
    ...entries.map(([name = '', text = '']) => element('li', {}, element('span', { class: name }), text)),
  )
}

const clickSlop = 4

/** Tells how far the pointer was dragged since it was last told. A drag is no click on what lies under it. */
function followDrag(target: HTMLElement, onMove: (distance: number) => void): void {
  let last: number | undefined
  let travelled = 0
  target.addEventListener('pointerdown', event => {
    if (event.button !== 0) return
    last = event.clientX
    travelled = 0
  })
  target.addEventListener('pointermove', event => {
    if (last === undefined) return
    if (event.buttons === 0) {
      last = undefined
      return
    }
    travelled += Math.abs(event.clientX - last)
    if (travelled > clickSlop) onMove(event.clientX - last)
    last = event.clientX
  })
  target.addEventListener('pointerup', () => {
    last = undefined
  })
  target.addEventListener(
    'click',
    event => {
      if (travelled > clickSlop) event.stopPropagation()
      travelled = 0
    },
    { capture: true },
  )
}
