/**
 * Chance that can be repeated: a stream per thing drawn (seed, kind, index), so that one more draw
 * in one place moves nothing elsewhere.
 */

export interface Rng {
  /** Evenly in [0, 1). */
  next(): number
  /** Whole number, both ends included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Index drawn by weight. */
  weighted(weights: readonly number[]): number
  /** Standard normal. */
  normal(): number
}

export function rngOf(...parts: readonly (string | number)[]): Rng {
  const next = sfc32(parts.join(':'))
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    // the list is never empty and the index stays inside it
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
    weighted(weights) {
      let rest = next() * weights.reduce((sum, weight) => sum + weight, 0)
      for (const [i, weight] of weights.entries()) {
        rest -= weight
        if (rest < 0) return i
      }
      return weights.length - 1
    },
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}

/** Chris Doty-Humphrey's small fast counter over four words hashed from the text. */
function sfc32(text: string): () => number {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = 0xb7e15162
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x85ebca6b)
    b = Math.imul(b ^ code, 0xc2b2ae35)
    c = Math.imul(c ^ code, 0x27d4eb2f)
  }
  let d = 1
  const step = (): number => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    return (t >>> 0) / 4_294_967_296
  }
  for (let i = 0; i < 12; i += 1) step()
  return step
}
