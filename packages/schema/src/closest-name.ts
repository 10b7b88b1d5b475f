const maxCandidates = 200
const maxLength = 64
/** Shorter names are in too many others. */
const minContained = 4

/** The candidate closest to `name`, when it is close enough to be what was meant. */
export function closestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined
  const wanted = normalize(name)
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates.slice(0, maxCandidates)) {
    if (candidate.length > maxLength) continue
    const distance = distanceOf(wanted, normalize(candidate))
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Case and separators do not count: models write `filePath` for `file_path`. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '')
}

/** A name at an end of the other is as close as one edit: models write `file_path` for `path`. */
function distanceOf(left: string, right: string): number {
  const [short, long] = left.length < right.length ? [left, right] : [right, left]
  const isContained = short.length >= minContained && (long.startsWith(short) || long.endsWith(short))
  return isContained && left !== right ? 1 : editDistance(left, right)
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
