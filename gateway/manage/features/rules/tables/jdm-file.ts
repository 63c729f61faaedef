/**
 * JDM files: a version goes out as the engine judges it, and a file comes in as what a new draft
 * begins with. A file may hold one condition or one table; anything else is refused by its node.
 */
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { conditionFaults } from '#shared/conditions/condition-faults.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { FILE_UNREADABLE } from '#shared/rules/rule-problems.ts'
import { tableFaults } from '#shared/rules/tables/table-faults.ts'
import type {
  readRuleFile as readCall,
  ruleFile as fileCall,
} from '#shared/rules/tables/table-api.ts'
import { sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { fromGraph, type StoredGraph } from '../engine/rule-graph.ts'
import { fromTableContent, type TableContent } from './table-graph.ts'

/** What other tools know a decision by. */
const CONTENT_TYPE = 'application/vnd.gorules.decision'

/** @throws Problem G404 */
export async function ruleFile(
  db: Db,
  { id, versionNo }: InputOf<typeof fileCall>,
): Promise<DataOf<typeof fileCall>> {
  const { rows } = await sql<{ content: StoredGraph }>`
    select v.content from rule_version v where v.rule_id = ${id} and v.version_no = ${versionNo}
    union all
    select v.content from decision_table_version v
    where v.table_id = ${id} and v.version_no = ${versionNo}`.execute(db)
  const graph = rows[0]?.content
  if (!graph) throw new Problem(NOT_FOUND)
  return {
    fileName: `${id}-v${versionNo}.json`,
    content: JSON.stringify({ contentType: CONTENT_TYPE, ...graph }, null, 2),
  }
}

type Read = DataOf<typeof readCall>
interface Node {
  id: string
  name: string
  type: string
  content?: unknown
}

/** @throws Problem X-FILE naming the node */
export function readRuleFile({ content }: InputOf<typeof readCall>): Read {
  const nodes = nodesOf(content)
  const judging = nodes.filter(({ type }) => type !== 'inputNode' && type !== 'outputNode')
  for (const { type, name } of judging)
    if (type !== 'expressionNode' && type !== 'decisionTableNode')
      throw refusal('nodeType', name, type)
  const [node, second] = judging
  if (node === undefined) throw refusal('empty', '', '')
  if (second !== undefined) throw refusal('manyNodes', second.name, second.type)
  return node.type === 'expressionNode' ? condition(node, nodes) : table(node)
}

function refusal(why: string, node: string, text: string): Problem {
  return new Problem(FILE_UNREADABLE, {
    reason: why,
    node: node.slice(0, 80),
    text: text.slice(0, 120),
  })
}

function nodesOf(content: string): Node[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch {
    throw refusal('noJson', '', '')
  }
  const { nodes } = (parsed ?? {}) as { nodes?: unknown }
  if (!Array.isArray(nodes) || nodes.length > MOST_NODES) throw refusal('noGraph', '', '')
  return nodes.map((given: unknown) => {
    const { id, name, type, content: own } = (given ?? {}) as Record<string, unknown>
    if (typeof type !== 'string') throw refusal('noGraph', '', '')
    return {
      id: typeof id === 'string' ? id : '',
      name: typeof name === 'string' ? name : type,
      type,
      content: own,
    }
  })
}
const MOST_NODES = 50

function condition(node: Node, nodes: Node[]): Read {
  const rows = (node.content as { expressions?: unknown } | undefined)?.expressions
  const isRow = (row: unknown) =>
    typeof (row as { key?: unknown } | null)?.key === 'string' &&
    typeof (row as { value?: unknown }).value === 'string'
  if (!Array.isArray(rows) || !rows.every(isRow)) throw refusal('expression', node.name, '')
  const expression = fromGraph({ nodes, edges: [] }, RULE_CATALOGUE)
  if (expression === null || conditionFaults(expression, RULE_CATALOGUE).length > 0)
    throw refusal('expression', node.name, String(rows[0]?.value ?? ''))
  return { kind: 'condition', expression }
}

function table(node: Node): Read {
  if (!isTableContent(node.content)) throw refusal('table', node.name, '')
  const read = fromTableContent(node.content)
  if ('why' in read)
    throw refusal(read.why, node.name, 'row' in read ? `${read.row}: ${read.text}` : read.text)
  const fault = tableFaults(read)[0]
  if (fault !== undefined)
    throw refusal('fault', node.name, fault.row === null ? '' : String(fault.row + 1))
  return { kind: 'table', name: node.name, table: read }
}

function isTableContent(content: unknown): content is TableContent {
  const { inputs, outputs, rules } = (content ?? {}) as Record<string, unknown>
  const isColumn = (one: unknown) => typeof (one as { id?: unknown } | null)?.id === 'string'
  const isRule = (one: unknown) =>
    typeof one === 'object' &&
    one !== null &&
    Object.values(one).every((cell) => typeof cell === 'string')
  return (
    [inputs, outputs].every((list) => Array.isArray(list) && list.every(isColumn)) &&
    Array.isArray(rules) &&
    rules.every(isRule)
  )
}
