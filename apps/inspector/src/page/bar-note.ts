/** A stretch of a lane, in pixels. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** About what a character of a note takes; one too wide is cut, and its bar says the same when it is pointed at. */
const characterWidth = 6.6
const gap = 5

/**
 * Where a bar that is too narrow for its own words can say them beside it: to the right, else to the left, where nothing
 * else of its lane is. `undefined` where there is no room.
 */
export function noteBeside(text: string, bar: Stretch, free: Stretch): Stretch | undefined {
  const width = text.length * characterWidth
  if (bar.to + gap + width <= free.to) return { from: bar.to + gap, to: bar.to + gap + width }
  if (bar.from - gap - width >= free.from) return { from: bar.from - gap - width, to: bar.from - gap }
  return undefined
}
