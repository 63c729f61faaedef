/** Which row of a table an application hits, in three values: a row whose fact is missing is open. */
import { isReadable } from '#shared/conditions/condition-values.ts'
import {
  evaluateCondition,
  type Facts,
  type Truth,
  type UnknownCause,
} from '#shared/conditions/evaluate-condition.ts'
import {
  type Cell,
  type DecisionTable,
  inputField,
  TABLE_CATALOGUE,
  type TableRow,
} from './decision-table.ts'

export interface CellResult {
  truth: Truth
  cause: UnknownCause | null
}

export interface TableResult {
  /** Null: none, or unknown. */
  hit: number | null
  /** The first row that cannot be judged, the column, and why: the table is not evaluated. */
  open: { row: number; column: number; cause: UnknownCause } | null
  /** Of each row that was looked at, its cells. */
  rows: CellResult[][]
}

export function evaluateTable(table: DecisionTable, facts: Facts): TableResult {
  const rows: CellResult[][] = []
  for (const [at, row] of table.rows.entries()) {
    const cells = cellsOf(table, row, facts)
    rows.push(cells)
    if (cells.some(({ truth }) => truth === false)) continue
    const column = cells.findIndex(({ truth }) => truth === null)
    const cause = cells[column]?.cause
    if (cause) return { hit: null, open: { row: at, column, cause }, rows }
    return { hit: at, open: null, rows }
  }
  return { hit: null, open: null, rows }
}

function cellsOf({ inputs }: DecisionTable, { when }: TableRow, facts: Facts): CellResult[] {
  return inputs.map((field, column) => {
    const cell = when[column]
    return cell ? cellResult(field, cell, facts) : { truth: true, cause: null }
  })
}

/** A value that is known to be empty is an answer: the comparison does not hold. */
function cellResult(field: string, cell: Cell, facts: Facts): CellResult {
  const known = inputField(field)
  const fact = facts[field]
  // also where a cell only asks whether there is a value: this is none that anybody can use
  if (known && fact !== undefined && fact !== null && !isReadable(known, fact))
    return { truth: null, cause: 'unreadable' }
  const { truth, cause } = evaluateCondition({ field, ...cell }, facts, TABLE_CATALOGUE)
  return cause === 'empty' ? { truth: false, cause: null } : { truth, cause: cause ?? null }
}
