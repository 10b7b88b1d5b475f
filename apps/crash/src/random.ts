/** Draws numbers from 0 up to 1, the same for the same seed. */
export type Random = () => number

/** mulberry32: small, seeded, good enough to spread moments. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A whole number from `least` to `most`. */
export function drawCount(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function draw<T>(random: Random, options: readonly [T, ...T[]]): T {
  return options[Math.floor(random() * options.length)] ?? options[0]
}
