/** What is wrong with a table, each fault at its cell, and what people should know about its rows. */
import { type ConditionFaultKind, conditionFaults } from '#shared/conditions/condition-faults.ts'
import {
  type Cell,
  type DecisionTable,
  MOST_INPUTS,
  MOST_ROWS,
  TABLE_CATALOGUE,
  TABLE_OUTPUTS,
} from './decision-table.ts'
import { contains, meets, rest, spaceOf } from './table-space.ts'

export type TableFaultKind =
  | ConditionFaultKind
  | 'noRows'
  | 'manyRows'
  | 'noOutputs'
  | 'manyInputs'
  | 'twice'
  | 'cells'
  | 'outputRange'
  | 'outputWhole'
  | 'outputNone'
  | 'unreachable'

export interface TableFault {
  fault: TableFaultKind
  /** From 0; null: the whole table. */
  row: number | null
  /** Over inputs and outputs; null: the whole row. */
  column: number | null
}

/** No fault: a row reads the way somebody wrote it, but perhaps not the way they think. */
export interface TableNote {
  note: 'overlap' | 'gap'
  row: number | null
  /** The earlier row that wins where both hold. */
  with: number | null
}

export function tableFaults(table: DecisionTable): TableFault[] {
  const { inputs, outputs, rows } = table
  const whole = (fault: TableFaultKind): TableFault => ({ fault, row: null, column: null })
  const faults: TableFault[] = []
  if (rows.length === 0) faults.push(whole('noRows'))
  if (rows.length > MOST_ROWS) faults.push(whole('manyRows'))
  if (outputs.length === 0) faults.push(whole('noOutputs'))
  if (inputs.length > MOST_INPUTS) faults.push(whole('manyInputs'))
  for (const [column, name] of [...inputs, ...outputs].entries()) {
    const isKnown = column >= inputs.length || TABLE_CATALOGUE.some((field) => field.name === name)
    if (!isKnown) faults.push({ fault: 'unknownField', row: null, column })
    const names: readonly string[] = column < inputs.length ? inputs : outputs
    const place = column < inputs.length ? column : column - inputs.length
    if (names.indexOf(name) < place) faults.push({ fault: 'twice', row: null, column })
  }
  faults.push(...rows.flatMap((_, row) => rowFaults(table, row)))
  return faults.length > 0 ? faults : unreachableRows(table)
}

function rowFaults({ inputs, outputs, rows }: DecisionTable, row: number): TableFault[] {
  const { when, gives } = rows[row] as DecisionTable['rows'][number]
  if (when.length !== inputs.length || gives.length !== outputs.length)
    return [{ fault: 'cells', row, column: null }]
  const faults: TableFault[] = []
  for (const [column, field] of inputs.entries()) {
    const fault = cellFault(field, when[column] ?? null)
    if (fault) faults.push({ fault, row, column })
  }
  for (const [at, name] of outputs.entries()) {
    const fault = outputFault(name, gives[at] ?? null)
    if (fault) faults.push({ fault, row, column: inputs.length + at })
  }
  if (outputs.length > 0 && gives.every((value) => value === null))
    faults.push({ fault: 'outputNone', row, column: null })
  return faults
}

export function cellFault(field: string, cell: Cell | null): TableFaultKind | null {
  return cell && (conditionFaults({ field, ...cell }, TABLE_CATALOGUE)[0]?.fault ?? null)
}

export function outputFault(
  name: DecisionTable['outputs'][number],
  value: number | null,
): TableFaultKind | null {
  if (value === null) return null
  if (!Number.isSafeInteger(value)) return 'outputWhole'
  return value < 0 || value > TABLE_OUTPUTS[name].most ? 'outputRange' : null
}

/** Rows that no application can hit, because earlier ones take all of theirs. */
function unreachableRows(table: DecisionTable): TableFault[] {
  const { boxes } = spaceOf(table)
  return boxes.flatMap((box, row) => {
    const isEmpty = box.some((bits) => bits === 0n)
    const isTaken = isEmpty || rest(box, boxes.slice(0, row))?.length === 0
    return isTaken ? [{ fault: 'unreachable' as const, row, column: null }] : []
  })
}

/** @param table without faults */
export function tableNotes(table: DecisionTable): TableNote[] {
  const { all, boxes } = spaceOf(table)
  // a row that holds a whole earlier one is the usual "all others"
  const overlaps = boxes.flatMap((box, row): TableNote[] => {
    const earlier = boxes.findIndex((one, i) => i < row && meets(one, box) && !contains(box, one))
    return earlier === -1 ? [] : [{ note: 'overlap', row, with: earlier }]
  })
  const gap = rest(all, boxes)
  return gap === null || gap.length > 0
    ? [...overlaps, { note: 'gap', row: null, with: null }]
    : overlaps
}
