/**
 * Percentiles, medians, and rounds in which product and baseline take turns, so that noise of the
 * machine affects both alike.
 */

/** Milliseconds of a clock shared by all processes of this machine. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

export function median(values: readonly number[]): number {
  const sorted = [...values].toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

export interface Spread {
  count: number
  p50: number
  p95: number
  p99: number
  max: number
}

export function spreadOf(values: Iterable<number>): Spread {
  const sorted = Float64Array.from(values).toSorted()
  const at = (share: number): number =>
    sorted.length === 0
      ? Number.NaN
      : (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number)
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** A B A B …: one result of each per round; the first changes from round to round. */
export async function takeTurns<A, B>(
  rounds: number,
  a: () => Promise<A>,
  b: () => Promise<B>,
): Promise<{ a: A[]; b: B[] }> {
  const results: { a: A[]; b: B[] } = { a: [], b: [] }
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) results.a.push(await a())
    results.b.push(await b())
    if (round % 2 === 1) results.a.push(await a())
  }
  return results
}

/** Median of the ratios of each round, so that a disturbed round spoils only one ratio. */
export function medianRatio(product: readonly number[], baseline: readonly number[]): number {
  return median(product.map((value, round) => value / (baseline[round] as number)))
}
