/**
 * Millions of durations in little memory: one counter per millisecond up to ten seconds, then one.
 */
const TOP = 10_000

export class Histogram {
  readonly #counts = new Uint32Array(TOP + 1)
  count = 0
  max = 0

  add(value: number): void {
    const whole = Math.min(TOP, Math.max(0, Math.round(value)))
    this.#counts[whole] = (this.#counts[whole] as number) + 1
    this.count += 1
    this.max = Math.max(this.max, value)
  }

  /** @param share 0 to 1; NaN when nothing was added */
  at(share: number): number {
    if (this.count === 0) return Number.NaN
    const wanted = Math.max(1, Math.ceil(this.count * share))
    let seen = 0
    for (let value = 0; value <= TOP; value += 1) {
      seen += this.#counts[value] as number
      if (seen >= wanted) return value
    }
    return TOP
  }
}
