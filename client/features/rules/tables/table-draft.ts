/**
 * The table while it is edited: cells are texts as they were typed, rows have ids that stay when they
 * move, so that the focus follows. Every operation is pure and gives a new draft.
 */
import {
  type Cell,
  type DecisionTable,
  inputField,
  MOST_ROWS,
  OUTPUT_NAMES,
  type OutputName,
} from '#shared/rules/tables/decision-table.ts'
import { type CellWords, cellText, outputText, readCellText, readOutputText } from './cell-text.ts'

export interface DraftRow {
  id: string
  /** Of inputs, then of outputs. */
  cells: readonly string[]
}
export interface TableDraft {
  inputs: readonly string[]
  outputs: readonly OutputName[]
  rows: readonly DraftRow[]
}
export interface Place {
  row: number
  column: number
}
export type WordsOf = (field: string) => CellWords

let made = 0
const newRow = (cells: readonly string[]): DraftRow => ({ id: `t${(made += 1)}`, cells })

export function draftOf({ inputs, outputs, rows }: DecisionTable, words: WordsOf): TableDraft {
  return {
    inputs,
    outputs,
    rows: rows.map(({ when, gives }) =>
      newRow([
        ...inputs.map((name, i) => {
          const field = inputField(name)
          return field ? cellText(field, when[i] ?? null, words(name)) : ''
        }),
        ...outputs.map((name, i) => outputText(name, gives[i] ?? null)),
      ]),
    ),
  }
}

/** A cell that cannot be read becomes one that `tableFaults` names. */
export function tableOf({ inputs, outputs, rows }: TableDraft, words: WordsOf): DecisionTable {
  return {
    inputs,
    outputs,
    rows: rows.map(({ cells }) => ({
      when: inputs.map((name, i): Cell | null => {
        const field = inputField(name)
        const cell = field && readCellText(field, cells[i] ?? '', words(name))
        return cell === undefined ? { operator: 'is', value: {} as never } : cell
      }),
      gives: outputs.map((name, i) => {
        const value = readOutputText(name, cells[inputs.length + i] ?? '')
        return value === undefined ? Number.NaN : value
      }),
    })),
  }
}

export function withCell(draft: TableDraft, { row, column }: Place, text: string): TableDraft {
  const cells = (old: DraftRow) => old.cells.map((cell, i) => (i === column ? text : cell))
  return {
    ...draft,
    rows: draft.rows.map((old, i) => (i === row ? { ...old, cells: cells(old) } : old)),
  }
}

const blank = ({ inputs, outputs }: TableDraft) => [...inputs, ...outputs].map(() => '')

/** An empty row below. */
export function withRow(draft: TableDraft, below: number): TableDraft {
  if (draft.rows.length >= MOST_ROWS) return draft
  return { ...draft, rows: draft.rows.toSpliced(below + 1, 0, newRow(blank(draft))) }
}

export function withoutRow(draft: TableDraft, row: number): TableDraft {
  return { ...draft, rows: draft.rows.toSpliced(row, 1) }
}

export function movedRow(draft: TableDraft, row: number, by: number): TableDraft {
  return { ...draft, rows: moved(draft.rows, row, row + by) }
}

function moved<One>(list: readonly One[], from: number, to: number): readonly One[] {
  const one = list[from]
  if (one === undefined || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, one)
}

export function withColumn(draft: TableDraft, name: string): TableDraft {
  const output = OUTPUT_NAMES.find((one) => one === name)
  const at = output ? draft.inputs.length + draft.outputs.length : draft.inputs.length
  return {
    inputs: output ? draft.inputs : [...draft.inputs, name],
    outputs: output ? [...draft.outputs, output] : draft.outputs,
    rows: draft.rows.map((row) => ({ ...row, cells: row.cells.toSpliced(at, 0, '') })),
  }
}

export function withoutColumn(draft: TableDraft, column: number): TableDraft {
  const count = draft.inputs.length
  return {
    inputs: draft.inputs.filter((_, i) => i !== column),
    outputs: draft.outputs.filter((_, i) => i + count !== column),
    rows: draft.rows.map((row) => ({ ...row, cells: row.cells.toSpliced(column, 1) })),
  }
}

/** Conditions stay before outputs. */
export function movedColumn(draft: TableDraft, column: number, by: number): TableDraft {
  const count = draft.inputs.length
  const [first, last] = column < count ? [0, count - 1] : [count, count + draft.outputs.length - 1]
  const to = column + by
  if (to < first || to > last) return draft
  return {
    inputs: column < count ? moved(draft.inputs, column, to) : draft.inputs,
    outputs: column < count ? draft.outputs : moved(draft.outputs, column - count, to - count),
    rows: draft.rows.map((row) => ({ ...row, cells: moved(row.cells, column, to) })),
  }
}

/** Cells of a spreadsheet, from a cell on; rows are added as they are needed, columns are not. */
export function pasted(draft: TableDraft, { row, column }: Place, text: string): TableDraft {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const rows = [...draft.rows]
  for (const [i, line] of lines.entries()) {
    const at = row + i
    if (at >= MOST_ROWS) break
    const old = rows[at] ?? newRow(blank(draft))
    const given = line.split('\t')
    rows[at] = { ...old, cells: old.cells.map((cell, c) => given[c - column] ?? cell) }
  }
  return { ...draft, rows }
}
