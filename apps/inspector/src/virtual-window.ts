/**
 * Turns a scroll position into the rows to draw.
 *
 * V1 The rows drawn cover the viewport, with a few to spare on each side, however many there are.
 * V2 Browsers do not draw elements taller than some ten million pixels: above `tallest`, the scroll bar is scaled, and
 *    the first and the last row stay reachable.
 */
export interface VirtualList {
  readonly count: number
  readonly rowHeight: number
  readonly viewportHeight: number
}

export interface VirtualWindow {
  /** The rows to draw: from `first` up to, without, `end`. */
  readonly first: number
  readonly end: number
  /** Where the first of them goes, from the top of the scrolled element. */
  readonly top: number
}

const spare = 8
const tallest = 8_000_000

/** The height of the scrolled element. */
export function virtualHeight({ count, rowHeight }: VirtualList): number {
  return Math.min(count * rowHeight, tallest)
}

export function virtualWindow(list: VirtualList, scrollTop: number): VirtualWindow {
  const { count, rowHeight, viewportHeight } = list
  const offset = scrollTop * scaleOf(list)
  const top = Math.max(0, Math.min(offset, count * rowHeight - viewportHeight))
  const first = Math.max(0, Math.floor(top / rowHeight) - spare)
  const end = Math.min(count, Math.ceil((top + viewportHeight) / rowHeight) + spare)
  return { first, end, top: scrollTop - (top - first * rowHeight) }
}

/** The scroll position nearest to `scrollTop` that shows all of `row`. */
export function scrollToRow(list: VirtualList, row: number, scrollTop: number): number {
  const { rowHeight, viewportHeight } = list
  const scale = scaleOf(list)
  const offset = scrollTop * scale
  const top = row * rowHeight
  if (top < offset) return top / scale
  if (top + rowHeight > offset + viewportHeight) return (top + rowHeight - viewportHeight) / scale
  return scrollTop
}

/** Pixels of rows for a pixel of scroll bar. */
function scaleOf(list: VirtualList): number {
  const { count, rowHeight, viewportHeight } = list
  const shown = virtualHeight(list) - viewportHeight
  return shown <= 0 ? 1 : Math.max(1, (count * rowHeight - viewportHeight) / shown)
}
