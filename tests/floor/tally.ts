/** Counts what the floor did and received, and prints the final table. */
import type { Envelope } from '#shared/kernel/problem.ts'
import { Histogram } from './histogram.ts'

interface Kind {
  done: number
  refused: number
  errors: number
  latency: Histogram
}

export class Tally {
  readonly #kinds = new Map<string, Kind>()
  readonly #refusals = new Map<string, number>()
  /** The first message of each error. */
  readonly #samples = new Map<string, string>()
  /** Calls that were repeated: a process was gone, or a limit was reached. */
  repeated = 0

  /** @param tookMs until the answer; @returns whether it was done */
  answered(kind: string, answer: Envelope<unknown>, tookMs: number): boolean {
    const counts = this.#of(kind)
    counts.latency.add(tookMs)
    if (answer.code === 200) {
      counts.done += 1
      return true
    }
    if (answer.code >= 500)
      this.failed(kind, `${answer.code} ${answer.problem?.id ?? ''} ${answer.msg}`)
    else this.refused(kind, answer.problem?.id ?? String(answer.code))
    return false
  }
  /** One of many in a call, or the call itself. */
  refused(kind: string, problem: string): void {
    this.#of(kind).refused += 1
    this.#refusals.set(`${problem} ${kind}`, (this.#refusals.get(`${problem} ${kind}`) ?? 0) + 1)
  }
  failed(kind: string, why: string): void {
    this.#of(kind).errors += 1
    if (!this.#samples.has(kind)) this.#samples.set(kind, why)
  }

  get calls(): number {
    return this.#sum((kind) => kind.done + kind.refused + kind.errors)
  }
  get errors(): number {
    return this.#sum((kind) => kind.errors)
  }

  table(): string {
    const rows = [...this.#kinds]
      .toSorted(([, a], [, b]) => b.done - a.done)
      .map(([name, { done, refused, errors, latency }]) => [
        name,
        String(done),
        String(refused),
        String(errors),
        ms(latency.at(0.5)),
        ms(latency.at(0.99)),
      ])
    const all = [['action', 'done', 'refused', 'errors', 'p50 ms', 'p99 ms'], ...rows]
    const widths = (all[0] as string[]).map((_, column) =>
      Math.max(...all.map((row) => (row[column] as string).length)),
    )
    const lines = all.map((row) =>
      row
        .map((cell, column) =>
          column === 0
            ? cell.padEnd(widths[column] as number)
            : cell.padStart(widths[column] as number),
        )
        .join('  '),
    )
    lines.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '))
    const refusals = [...this.#refusals]
      .toSorted(([, a], [, b]) => b - a)
      .map(([what, times]) => `${what} ${times}`)
    return [
      ...lines,
      '',
      `refused: ${refusals.length === 0 ? 'nothing' : refusals.join(', ')}`,
      ...(this.repeated === 0 ? [] : [`asked again: ${this.repeated}`]),
      ...[...this.#samples].map(([kind, why]) => `error of ${kind}: ${why}`),
    ].join('\n')
  }

  #of(kind: string): Kind {
    const known = this.#kinds.get(kind) ?? {
      done: 0,
      refused: 0,
      errors: 0,
      latency: new Histogram(),
    }
    this.#kinds.set(kind, known)
    return known
  }
  #sum(part: (kind: Kind) => number): number {
    return [...this.#kinds.values()].reduce((sum, kind) => sum + part(kind), 0)
  }
}

export function ms(value: number): string {
  return Number.isFinite(value) ? String(value) : '–'
}
