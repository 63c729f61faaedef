/** The table of the bench. */
import { median } from './measure.ts'

export interface Line {
  what: string
  /** Result of the product, with its unit. */
  product: string
  /** Result of the bare baseline. */
  baseline: string
  /** Product to baseline; null for a figure without a baseline. */
  ratio: number | null
  target: string
  /** Null: for information. */
  pass: boolean | null
}

const HEAD = ['', 'measured', 'product', 'bare baseline', 'ratio', 'target', '']

export function printTable(lines: readonly Line[]): string {
  const rows = lines.map((line, n) => [
    String(n + 1),
    line.what,
    line.product,
    line.baseline,
    line.ratio === null ? '–' : `${line.ratio.toFixed(2)}×`,
    line.target,
    line.pass === null ? 'info' : line.pass ? 'pass' : 'MISS',
  ])
  const all = [HEAD, ...rows]
  const widths = HEAD.map((_, column) =>
    Math.max(...all.map((row) => (row[column] as string).length)),
  )
  const text = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd()
  return [text(HEAD), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(text)].join(
    '\n',
  )
}

/** Median of a figure over all rounds. */
export function medianText<Round>(rounds: readonly Round[], of: (round: Round) => number): string {
  return short(median(rounds.map(of)))
}

/** Three significant figures. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}
