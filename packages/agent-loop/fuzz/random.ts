/** Decisions of one scenario, drawn as they are needed. The same seed decides the same. */
export interface Random {
  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number
  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean
  pick<T>(items: readonly [T, ...(readonly T[])]): T
}

/** mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  function below(limit: number): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
  return {
    below,
    chance: percent => below(1000) < percent * 10,
    pick: items => items[below(items.length)] ?? items[0],
  }
}
