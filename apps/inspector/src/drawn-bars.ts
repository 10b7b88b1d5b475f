/**
 * Turns the spans of one lane into what is drawn of them.
 *
 * D1 Nothing outside the view is drawn, and finding the first span of the view costs O(log spans).
 * D2 Spans too narrow to tell apart become one bar that says how many, so that a lane never has more bars than its width
 *    allows, however many spans it holds.
 * D3 A bar of several spans is as bad as the worst of them, and no wider than what tells where in the lane that is.
 */

/** A span on the axis; those of a lane are in order and do not overlap. */
export interface AxisSpan {
  readonly from: number
  readonly to: number
  /** 0 is nothing to look at. */
  readonly severity: number
}

/** The part of the axis that is shown, and its width in pixels. */
export interface AxisView {
  readonly from: number
  readonly to: number
  readonly width: number
}

/** Spans `first` to `last`, both inclusive, drawn as one bar of `width` pixels from `x`. */
export interface DrawnBar {
  readonly first: number
  readonly last: number
  readonly x: number
  readonly width: number
  readonly severity: number
}

const narrowest = { plain: 4, severe: 14 }
/** A span this wide is drawn by itself, and gives way to a narrow one before it. Several as wide take in no more. */
const wide = 40

export function drawnBars(spans: readonly AxisSpan[], view: AxisView): readonly DrawnBar[] {
  const scale = view.width / Math.max(view.to - view.from, Number.MIN_VALUE)
  const bars: DrawnBar[] = []
  for (let index = firstEndingAt(spans, view.from); index < spans.length; index++) {
    const span = spans[index]
    if (span === undefined || span.from > view.to) break
    const left = Math.max(0, (span.from - view.from) * scale)
    const right = Math.min(view.width, (span.to - view.from) * scale)
    const least = span.severity > 0 ? narrowest.severe : narrowest.plain
    const previous = bars.at(-1)
    const taken = previous === undefined ? 0 : previous.x + previous.width
    const isFull = previous !== undefined && previous.first !== previous.last && previous.width >= wide
    if (previous === undefined || left >= taken || right - taken >= wide || isFull) {
      const x = Math.max(left, taken)
      const width = Math.max(least, right - x)
      bars.push({ first: index, last: index, x, width, severity: span.severity })
    } else {
      const width = Math.max(taken, left + least, right) - previous.x
      const severity = Math.max(previous.severity, span.severity)
      bars[bars.length - 1] = { ...previous, last: index, width, severity }
    }
  }
  return bars
}

function firstEndingAt(spans: readonly AxisSpan[], position: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((spans[middle]?.to ?? 0) < position) low = middle + 1
    else high = middle
  }
  return low
}
