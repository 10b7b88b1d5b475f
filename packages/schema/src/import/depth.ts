import { type JsonValue } from '../json.js'

/** Whether `root` has containers nested deeper than `limit`. No recursion; a shared container is looked at once. */
export function isDeeperThan(root: JsonValue, limit: number): boolean {
  const seen = new Set<JsonValue>()
  let level: readonly JsonValue[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true
    const containers = level.filter(value => typeof value === 'object' && value !== null && !seen.has(value))
    for (const value of containers) seen.add(value)
    level = containers.flatMap(value => Object.values(value as object) as JsonValue[])
  }
  return false
}
