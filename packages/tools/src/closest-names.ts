const maxNamed = 3
/** Longer names are compared by their start; the name comes from a model and may be megabytes. */
const maxCompared = 64

/** The names most like `name`, best first. */
export function closestNames(name: string, names: Iterable<string>): string[] {
  const wanted = name.slice(0, maxCompared).toLowerCase()
  return [...names]
    .map(candidate => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, maxNamed)
    .map(({ candidate }) => candidate)
}

/** How many characters must be inserted, deleted or replaced to get from `from` to `to`. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(previous, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1))
    }
    previous = current
  }
  return at(previous, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
