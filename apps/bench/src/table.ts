import type { Measured, Measurement } from './measure.js'

/** A measurement as a Markdown table, fastest first. Says who needs eval where anybody could. */
export function table({ title, reference, rows }: Measurement): string {
  const sorted = [...rows].sort((a, b) => (a.nanoseconds < b.nanoseconds ? -1 : 1))
  const hasEval = rows.some(({ needsEval }) => needsEval !== undefined)
  return [
    `### ${title}`,
    '',
    `| | time | speed (${reference} = 1) | ${hasEval ? 'needs eval | ' : ''}|`,
    `|---|---:|---:|${hasEval ? '---|' : ''}---|`,
    ...sorted.map(measured => row(measured, hasEval)),
    '',
  ].join('\n')
}

function row(
  { name, nanoseconds, ratio, failure, needsEval = '', note = '' }: Measured,
  hasEval: boolean,
): string {
  const [time, speed] = failure === undefined ? [duration(nanoseconds), ratio.toPrecision(2)] : [failure, '']
  return `| ${[name, time, speed, ...(hasEval ? [needsEval] : []), note].join(' | ')} |`
}

/** Nanoseconds in the unit a person would choose. */
export function duration(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${nanoseconds.toFixed(0)} ns`
  if (nanoseconds < 1e6) return `${(nanoseconds / 1000).toFixed(2)} µs`
  return `${(nanoseconds / 1e6).toFixed(1)} ms`
}
