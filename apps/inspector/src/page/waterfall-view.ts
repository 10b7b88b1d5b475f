/** The part of the axis that is in view, in positions of the axis. */
export interface View {
  readonly from: number
  readonly to: number
}

const shortestMs = 1
/** Room after the end, for the mark of a call that took no time. */
const margin = 0.04

/** All of an axis. */
export function fitted(length: number): View {
  return { from: 0, to: length * (1 + margin) }
}

/** A view that is `factor` times as long, with the position `at` where it was. */
export function zoomed(
  { from, to }: View,
  { factor, at, length }: { readonly factor: number; readonly at: number; readonly length: number },
): View {
  const extent = Math.min(fitted(length).to, Math.max(shortestMs, (to - from) * factor))
  const share = (at - from) / (to - from)
  return inside({ from: at - share * extent, to: at + (1 - share) * extent }, length)
}

/** A view so much later. */
export function moved({ from, to }: View, by: number, length: number): View {
  return inside({ from: from + by, to: to + by }, length)
}

/** The nearest view in which a span can be seen and is not a sliver; the same one where it already is. */
export function showing(
  view: View,
  { from, to, length }: { readonly from: number; readonly to: number; readonly length: number },
): View {
  const extent = view.to - view.from
  const isInside = from >= view.from && to <= view.to
  if (isInside && (to - from) * 60 > extent) return view
  if (isInside && extent <= Math.max(2000, (to - from) * 60)) return view
  const wanted = Math.min(extent, Math.max(2000, (to - from) * 4))
  const middle = (from + to) / 2
  return inside({ from: middle - wanted / 2, to: middle + wanted / 2 }, length)
}

function inside({ from, to }: View, length: number): View {
  const all = fitted(length)
  const extent = Math.min(to - from, all.to)
  const start = Math.max(0, Math.min(from, all.to - extent))
  return { from: start, to: start + extent }
}
