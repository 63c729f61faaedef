/**
 * A condition as a decision graph (JDM) of zen-engine, and back. Each node of the tree is one row of
 * an expression node, children before their group:
 *
 *     n0    age == null ? null : age < 21
 *     n1    "faceScore" in absent ? null : "faceScore" in none
 *     n     some([$.n0, $.n1], # == true) ? true : (some([$.n0, $.n1], # == null) ? null : false)
 *
 * so that other tools show a rule line by line, and null is the third value: not evaluated. Facts
 * are given as `engineFacts` prepares them: the engine knows no difference between a value that is
 * missing, one that is known to be empty and one that cannot be read.
 */
import { type Catalogue, type ConditionField, fieldOf } from '#shared/conditions/catalogue.ts'
import {
  childPath,
  type Comparison,
  type Condition,
  type Group,
  isGroup,
  type NodePath,
} from '#shared/conditions/condition.ts'
import { foldText, isReadable } from '#shared/conditions/condition-values.ts'
import type { Facts } from '#shared/conditions/evaluate-condition.ts'
import { literal, readComparison } from './rule-literals.ts'

interface Row {
  id: string
  key: string
  value: string
}
export interface ExpressionNode {
  id: string
  name: string
  type: 'expressionNode'
  position: { x: number; y: number }
  content: {
    expressions: Row[]
    passThrough: boolean
    inputField: null
    outputPath: string | null
    executionMode: 'single'
  }
}
export interface StoredGraph {
  nodes: { id: string; type: string; content?: unknown }[]
  edges: unknown[]
}

/** Result of the root. */
export const ROOT = 'n'
const CONDITION = 'condition'

/** The row of a node. */
export function keyOf(path: NodePath): string {
  return `${ROOT}${path.replaceAll('.', '_')}`
}

/** @param condition without faults */
export function toGraph(condition: Condition, catalogue: Catalogue): StoredGraph {
  const at = (x: number) => ({ x, y: 160 })
  return {
    nodes: [
      { id: 'input', name: 'Application', type: 'inputNode', position: at(40) },
      expressionNode(CONDITION, 'Condition', toRows(condition, catalogue), null),
      { id: 'output', name: 'Result', type: 'outputNode', position: at(560) },
    ] as StoredGraph['nodes'],
    edges: [
      { id: 'e1', type: 'edge', sourceId: 'input', targetId: CONDITION },
      { id: 'e2', type: 'edge', sourceId: CONDITION, targetId: 'output' },
    ],
  }
}

export function expressionNode(
  id: string,
  name: string,
  expressions: Row[],
  outputPath: string | null,
): ExpressionNode {
  return {
    id,
    name,
    type: 'expressionNode',
    position: { x: 300, y: 160 },
    content: {
      expressions,
      passThrough: false,
      inputField: null,
      outputPath,
      executionMode: 'single',
    },
  }
}

/** The rows of the one expression node of a stored graph; null when it has another form. */
export function rowsOf(graph: StoredGraph): Row[] | null {
  const nodes = graph.nodes.filter(({ type }) => type !== 'inputNode' && type !== 'outputNode')
  const content = nodes[0]?.content as { expressions?: Row[] } | undefined
  return nodes.length === 1 && nodes[0]?.type === 'expressionNode' && content?.expressions
    ? content.expressions
    : null
}

/** The condition of a graph; null when it is not one that `toGraph` made. */
export function fromGraph(graph: StoredGraph, catalogue: Catalogue): Condition | null {
  const rows = rowsOf(graph)
  const values = new Map(rows?.map(({ key, value }) => [key, value]))
  const condition = readNode(ROOT, values)
  // what was read is accepted only when it gives the same result again, row by row
  if (condition === null || rows === null) return null
  const again = toRows(condition, catalogue)
  const isSame = (row: Row, i: number) => row.key === again[i]?.key && row.value === again[i]?.value
  return rows.length === again.length && rows.every(isSame) ? condition : null
}

/** Facts as the expressions of a graph expect them. */
export function engineFacts(facts: Facts, catalogue: Catalogue): Record<string, unknown> {
  const prepared: Record<string, unknown> = {}
  const absent: string[] = []
  const none: string[] = []
  for (const field of catalogue) {
    const fact = facts[field.name]
    if (fact === undefined) absent.push(field.name)
    if (fact === null) none.push(field.name)
    prepared[field.name] = !isReadable(field, fact)
      ? null
      : field.type === 'text'
        ? foldText(String(fact))
        : fact
  }
  return { ...prepared, absent, none }
}

function toRows(condition: Condition, catalogue: Catalogue): Row[] {
  const rows: Row[] = []
  function visit(node: Condition, path: NodePath): void {
    if (isGroup(node)) node.of.forEach((child, place) => visit(child, childPath(path, place)))
    const key = keyOf(path)
    const value = isGroup(node) ? groupText(node, path) : comparisonText(node, catalogue)
    rows.push({ id: key, key, value })
  }
  visit(condition, '')
  return rows
}

/** One false decides `all`, one true `any`; else one that is not known leaves it open. */
function groupText({ kind, of }: Group, path: NodePath): string {
  const members = `[${of.map((_, place) => `$.${keyOf(childPath(path, place))}`).join(', ')}]`
  const deciding = kind === 'any'
  return (
    `some(${members}, # == ${deciding}) ? ${deciding} : ` +
    `(some(${members}, # == null) ? null : ${!deciding})`
  )
}

function comparisonText(
  { field: name, operator, value }: Comparison,
  catalogue: Catalogue,
): string {
  const field = fieldOf(catalogue, name)
  if (field === undefined) throw new TypeError(`${name} is no field of the catalogue`)
  if (operator === 'empty') return `"${name}" in absent ? null : "${name}" in none`
  if (operator === 'notEmpty') return `"${name}" in absent ? null : not("${name}" in none)`
  const have = field.type === 'day' ? `date(${name})` : name
  return `${name} == null ? null : ${judgement(operator, have, field, value)}`
}

const SIGNS: Readonly<Record<string, string>> = {
  is: '==',
  isNot: '!=',
  atLeast: '>=',
  moreThan: '>',
  atMost: '<=',
  lessThan: '<',
}

function judgement(
  operator: string,
  have: string,
  field: ConditionField,
  value: Comparison['value'],
): string {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  const values = given.map((one) => literal(field, one))
  const sign = SIGNS[operator]
  if (sign !== undefined) return `${have} ${sign} ${values[0]}`
  switch (operator) {
    case 'between':
      return `${have} >= ${values[0]} and ${have} <= ${values[1]}`
    case 'oneOf':
      return `${have} in [${values.join(', ')}]`
    case 'noneOf':
      return `not(${have} in [${values.join(', ')}])`
    case 'contains':
    case 'startsWith':
      return `${operator}(${have}, ${values[0]})`
    default:
      throw new TypeError(`${operator} is no operator`)
  }
}

function readNode(key: string, rows: ReadonlyMap<string, string>): Condition | null {
  const value = rows.get(key)
  if (value === undefined) return null
  if (!value.startsWith('some(')) return readComparison(value)
  const children: Condition[] = []
  for (let place = 0; ; place += 1) {
    const childKey = key === ROOT ? `${ROOT}${place}` : `${key}_${place}`
    if (!rows.has(childKey)) break
    const child = readNode(childKey, rows)
    if (child === null) return null
    children.push(child)
  }
  return { kind: value.includes(', # == true) ? true') ? 'any' : 'all', of: children }
}
