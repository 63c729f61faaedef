/** Splits whole units by weight and largest remainder. Pure. */

export interface Part {
  weight: number
  /** Upper bound of the part. */
  cap: number
  /** Order among equal remainders, smaller first. */
  rank: number
  /** Added to the remainder, in units of what is split. */
  carry?: number
}

/**
 * Splits whole units by weight: each part gets its share rounded down, the rest goes to the largest
 * remainders. A part at its cap gets no more, and the excess is split among the others by the same
 * rule. 1003 at 50/30/20 = 501/301/201.
 * @param n how many units, a whole number ≥ 0
 * @param parts whole weights ≥ 0; a weight of 0 gets nothing
 * @returns as many numbers as parts; their sum is less than n only when every part with a weight is
 * at its cap
 */
export function splitByWeight(n: number, parts: readonly Part[]): number[] {
  const given = parts.map(() => 0)
  let open = parts.map((_, index) => index).filter((index) => partAt(parts, index).weight > 0)
  let left = n
  while (open.length > 0) {
    const shares = largestRemainder(
      left,
      open.map((index) => partAt(parts, index)),
    )
    const over = open.filter((index, at) => (shares[at] as number) > partAt(parts, index).cap)
    if (over.length === 0) {
      for (const [at, index] of open.entries()) given[index] = shares[at] as number
      return given
    }
    for (const index of over) {
      given[index] = partAt(parts, index).cap
      left -= partAt(parts, index).cap
    }
    open = open.filter((index) => !over.includes(index))
  }
  return given
}

function partAt(parts: readonly Part[], index: number): Part {
  return parts[index] as Part
}

function largestRemainder(n: number, parts: readonly Part[]): number[] {
  const total = parts.reduce((sum, part) => sum + part.weight, 0)
  // whole numbers far below 2^53: the quotient's floor and the remainder are exact
  const floors = parts.map((part) => Math.floor((n * part.weight) / total))
  const claims = parts.map(
    (part, index) =>
      n * part.weight - (floors[index] as number) * total + (part.carry ?? 0) * total,
  )
  const order = parts
    .map((_, index) => index)
    .toSorted(
      (a, b) =>
        (claims[b] as number) - (claims[a] as number) ||
        partAt(parts, a).rank - partAt(parts, b).rank,
    )
  const rest = n - floors.reduce((sum, floor) => sum + floor, 0)
  for (const index of order.slice(0, rest)) (floors[index] as number) += 1
  return floors
}
