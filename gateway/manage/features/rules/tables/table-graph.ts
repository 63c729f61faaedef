/**
 * A decision table as the decision graph (JDM) of zen-engine, and back. Cells are written as other
 * tools write them: `>= 3`, `[3..5]`, `"old", "new"`, `null`. A comparison that excludes values also
 * excludes the empty value, which the engine would let pass.
 */
import type { ConditionField } from '#shared/conditions/catalogue.ts'
import {
  type Cell,
  type DecisionTable,
  inputField,
  OUTPUT_NAMES,
  type OutputName,
} from '#shared/rules/tables/decision-table.ts'
import type { StoredGraph } from '../engine/rule-graph.ts'
import { cellExpression, readCell, readOutput } from './table-cells.ts'

export interface Column {
  id: string
  name?: string
  field?: string
}
export interface TableContent {
  hitPolicy: string
  inputs: Column[]
  outputs: Column[]
  rules: Record<string, string>[]
}

/** The node of the table in a graph that the console wrote. */
export const TABLE_NODE = 'table'

/** @param table without faults */
export function toTableGraph(table: DecisionTable, name: string): StoredGraph {
  const at = (x: number) => ({ x, y: 160 })
  const column = (prefix: string) => (field: string) => ({
    id: `${prefix}_${field}`,
    name: field,
    field,
  })
  const inputs = table.inputs.map(column('in'))
  const outputs = table.outputs.map(column('out'))
  const rules = table.rows.map(({ when, gives }, row) => ({
    _id: `r${row + 1}`,
    ...Object.fromEntries(
      inputs.map(({ id, field }, i) => [id, cellExpression(fieldOfInput(field), when[i] ?? null)]),
    ),
    ...Object.fromEntries(
      outputs.map(({ id }, i) => [id, gives[i] === null ? '' : String(gives[i])]),
    ),
  }))
  const content = {
    hitPolicy: 'first',
    inputs,
    outputs,
    rules,
    passThrough: false,
    inputField: null,
    outputPath: null,
    executionMode: 'single',
  }
  const nodes = [
    { id: 'input', name: 'Application', type: 'inputNode', position: at(40) },
    { id: TABLE_NODE, name, type: 'decisionTableNode', position: at(300), content },
    { id: 'output', name: 'Result', type: 'outputNode', position: at(560) },
  ]
  return {
    nodes,
    edges: [
      { id: 'e1', type: 'edge', sourceId: 'input', targetId: TABLE_NODE },
      { id: 'e2', type: 'edge', sourceId: TABLE_NODE, targetId: 'output' },
    ],
  }
}

function fieldOfInput(name: string): ConditionField {
  const field = inputField(name)
  if (field === undefined) throw new TypeError(`${name} is no field of a table`)
  return field
}

/** What keeps the content of a table node from being a table here. */
export type Unreadable =
  | { why: 'hitPolicy'; text: string }
  | { why: 'field'; text: string }
  | { why: 'output'; text: string }
  | { why: 'cell'; text: string; row: number }

/** The table of a node, whatever tool wrote it. */
export function fromTableContent(content: TableContent): DecisionTable | Unreadable {
  if (content.hitPolicy !== 'first') return { why: 'hitPolicy', text: content.hitPolicy }
  const inputs: ConditionField[] = []
  for (const { field = '', name } of content.inputs) {
    const known = inputField(field)
    if (known === undefined) return { why: 'field', text: field || (name ?? '?') }
    inputs.push(known)
  }
  const outputs: OutputName[] = []
  for (const { field = '', name } of content.outputs) {
    const known = OUTPUT_NAMES.find((one) => one === field)
    if (known === undefined) return { why: 'output', text: field || (name ?? '?') }
    outputs.push(known)
  }
  const rows: { when: (Cell | null)[]; gives: (number | null)[] }[] = []
  for (const [at, rule] of content.rules.entries()) {
    const when: (Cell | null)[] = []
    for (const { id } of content.inputs) {
      const text = rule[id] ?? ''
      const cell = readCell(text)
      if (cell === undefined) return { why: 'cell', text, row: at + 1 }
      when.push(cell)
    }
    const gives: (number | null)[] = []
    for (const { id } of content.outputs) {
      const value = readOutput(rule[id] ?? '')
      if (value === undefined) return { why: 'cell', text: rule[id] ?? '', row: at + 1 }
      gives.push(value)
    }
    rows.push({ when, gives })
  }
  return { inputs: inputs.map(({ name }) => name), outputs, rows }
}

/** The table of a stored graph; null when it is no graph of one table. */
export function fromTableGraph(graph: StoredGraph): DecisionTable | null {
  const node = graph.nodes.find(({ type }) => type === 'decisionTableNode')
  if (!node?.content) return null
  const table = fromTableContent(node.content as TableContent)
  return 'why' in table ? null : table
}
