import type { Measured, Measurement } from './measure.js'

/** A measurement as a Markdown table, fastest first. */
export function table({ title, reference, rows }: Measurement): string {
  const sorted = [...rows].sort((a, b) => a.nanoseconds - b.nanoseconds)
  return [
    `### ${title}`,
    '',
    `| | time | speed (${reference} = 1) | |`,
    '|---|---:|---:|---|',
    ...sorted.map(row),
    '',
  ].join('\n')
}

function row({ name, nanoseconds, ratio, note = '' }: Measured): string {
  return `| ${name} | ${duration(nanoseconds)} | ${ratio.toPrecision(2)} | ${note} |`
}

/** Nanoseconds in the unit a person would choose. */
export function duration(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${nanoseconds.toFixed(0)} ns`
  if (nanoseconds < 1e6) return `${(nanoseconds / 1000).toFixed(2)} µs`
  return `${(nanoseconds / 1e6).toFixed(1)} ms`
}
