/** A length of time for a person. */
export function formatDuration(ms: number): string {
  if (ms < 1) return '0 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`
}

/** A moment of a session: `+1:04.20`, with as many digits as tell moments `stepMs` apart. */
export function formatMoment(ms: number, stepMs = 1): string {
  const digits = Math.max(0, Math.min(3, Math.ceil(-Math.log10(stepMs / 1000))))
  const unit = 10 ** digits
  const all = Math.round((ms / 1000) * unit)
  const seconds = (all % (60 * unit)) / unit
  const minutes = Math.floor(all / (60 * unit))
  if (minutes === 0) return `+${seconds.toFixed(digits)} s`
  const padded = seconds.toFixed(digits).padStart(digits === 0 ? 2 : digits + 3, '0')
  if (minutes < 60) return `+${minutes}:${padded}`
  return `+${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${padded}`
}

/** A count with its groups apart, the same in every locale. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ')
}

/** A count and what is counted. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** A step of a scale that has few digits: 1, 2 or 5 times a power of ten. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)))
  return power * ([1, 2, 5].find(factor => factor * power >= least) ?? 10)
}
