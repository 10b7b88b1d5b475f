/** One measured number, and what it may be at most. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: 'µs' | 'ms' | 'bytes' | 'a second'
  readonly atMost?: number
  readonly note?: string
}

/** The time that half of the runs took at most, and the least: the difference is mostly what else the machine does. */
export function timeFigures(
  name: string,
  microseconds: readonly number[],
  more: { readonly atMost?: number; readonly note?: string } = {},
): Figure[] {
  const sorted = microseconds.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return [
    { name: `${name}, best`, value: at(0), unit: 'µs', ...more },
    { name: `${name}, median`, value: at(0.5), unit: 'µs', ...more },
    { name: `${name}, 99 of 100`, value: at(0.99), unit: 'µs' },
  ]
}

export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, atMost, note }) => {
    const bound = atMost === undefined ? '' : `${round(atMost)}${value <= atMost ? '' : ' **exceeded**'}`
    return `| ${name} | ${round(value)} ${unit} | ${bound} | ${note ?? ''} |`
  })
  return ['| | measured | at most | |', '|---|---:|---:|---|', ...rows].join('\n')
}

function round(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
