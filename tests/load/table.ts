/** The one table of the bench. */

export interface Line {
  what: string
  /** What the product did, with its unit. */
  product: string
  /** What the bare baseline beside it did. */
  baseline: string
  /** Product to baseline; null where a figure stands for itself. */
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

/** Three figures that matter. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}
