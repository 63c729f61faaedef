/** Parses the CSV of a duty week. Pure. */
export interface DutyFile {
  rows: { account: string; days: string[] }[]
  faults: { row: number; column: string; messageKey: string }[]
}

/**
 * Lines of an account and seven shifts, separated by comma, semicolon or tab; the heading and empty
 * lines are skipped.
 */
export function readDutyFile(text: string): DutyFile {
  const file: DutyFile = { rows: [], faults: [] }
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  lines.forEach((line, at) => {
    if (line.trim() === '') return
    const cells = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
    if (at === 0 && cells[0]?.toLowerCase() === 'account') return
    if (cells.length !== 8 || cells[0] === '')
      return void file.faults.push({ row: at + 1, column: 'account', messageKey: 'columns' })
    file.rows.push({ account: cells[0] ?? '', days: cells.slice(1) })
  })
  return file
}
