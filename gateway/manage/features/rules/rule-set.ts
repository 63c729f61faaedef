/**
 * The active rule set: a decision graph (JDM) in the database, run by @gorules/zen-engine. The
 * engine silently skips a malformed or missing table cell, so every cell is checked before a
 * version is used.
 */
import type * as zenEngine from '@gorules/zen-engine'
import { sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'

interface Column {
  id: string
  field?: string
}
interface TableNode {
  id: string
  type: string
  content?: { inputs: Column[]; outputs: Column[]; rules: Record<string, string>[] }
}
export interface RuleGraph {
  nodes: TableNode[]
  edges: unknown[]
}

export interface NamedRule {
  code: string
  name: string
}

/** A checked version. */
export interface RuleSet {
  versionNo: number
  /** All rules with a code, in table order: the first hit gives the reason. */
  rules: readonly NamedRule[]
  /** @returns the graph's result for these facts; the caller checks its shape */
  evaluate(facts: object): Promise<Record<string, unknown>>
}

export class RuleSetInvalid extends Error {
  override readonly name = 'RuleSetInvalid'
  readonly code = 'RULE_SET_INVALID'
}

type Zen = typeof zenEngine

/**
 * @param sample facts of every kind, with which the cells are evaluated
 * @throws RuleSetInvalid naming the cell
 */
export async function compileRuleSet(
  versionNo: number,
  graph: RuleGraph,
  sample: object,
): Promise<RuleSet> {
  // loaded on first use, so that start-up and installations with their own engine do not need it
  const zen = await import('@gorules/zen-engine')
  const tables = graph.nodes.flatMap(({ id, type, content }) =>
    type === 'decisionTableNode' && content ? [{ id, ...content }] : [],
  )
  if (graph.nodes.some(({ type }) => type === 'functionNode'))
    throw new RuleSetInvalid(
      `version ${versionNo} has a function node: rules are tables, not programs`,
    )
  // a later table may use the result of an earlier one
  const known: Record<string, unknown> = { ...sample }
  for (const table of tables) {
    for (const rule of table.rules) checkRule(zen, table, rule, versionNo, known)
    for (const { id, field } of table.outputs)
      if (field !== undefined)
        known[field] = zen.evaluateExpressionSync(table.rules[0]?.[id] || 'null', known)
  }
  const decision = new zen.ZenEngine().createDecision(Buffer.from(JSON.stringify(graph)))
  return {
    versionNo,
    rules: tables.flatMap(({ outputs, rules }) => {
      const [code, name] = [
        outputs.find(({ field }) => field === 'code'),
        outputs.find(({ field }) => field === 'name'),
      ]
      return code && name
        ? rules.map((rule) => ({
            code: textOf(zen, rule[code.id]),
            name: textOf(zen, rule[name.id]),
          }))
        : []
    }),
    async evaluate(facts) {
      const { result } = (await decision.evaluate(facts)) as { result: Record<string, unknown> }
      return result
    },
  }
}

function checkRule(
  zen: Zen,
  { id, inputs, outputs }: { id: string; inputs: Column[]; outputs: Column[] },
  rule: Record<string, string>,
  versionNo: number,
  known: Record<string, unknown>,
): void {
  const at = (column: Column) =>
    `version ${versionNo}, table ${id}, rule ${rule._id ?? '?'}, column ${column.field ?? column.id}`
  for (const column of inputs) {
    const cell = rule[column.id]
    if (cell === undefined) throw new RuleSetInvalid(`${at(column)}: the cell is missing`)
    if (column.field !== undefined && !Object.hasOwn(known, column.field))
      throw new RuleSetInvalid(`${at(column)}: nobody knows this fact`)
    if (cell.trim() === '') continue
    attempt(at(column), cell, () =>
      zen.evaluateUnaryExpressionSync(cell, {
        ...known,
        $: column.field === undefined ? null : known[column.field],
      }),
    )
  }
  for (const column of outputs) {
    const cell = rule[column.id]
    if (cell === undefined) throw new RuleSetInvalid(`${at(column)}: the cell is missing`)
    if (cell.trim() !== '') attempt(at(column), cell, () => zen.evaluateExpressionSync(cell, known))
  }
}

function attempt(at: string, cell: string, evaluate: () => unknown): void {
  try {
    evaluate()
  } catch {
    throw new RuleSetInvalid(`${at}: "${cell}" cannot be read`)
  }
}

/** A text as a cell holds it, with its quotes. */
function textOf(zen: Zen, cell: string | undefined): string {
  return cell === undefined ? '' : String(zen.evaluateExpressionSync(cell, {}))
}

let compiled: { key: string; ruleSet: RuleSet } | null = null

/**
 * The active version, compiled once.
 * @throws RuleSetInvalid when there is none or it cannot be read
 */
export async function currentRuleSet(db: Db, sample: object): Promise<RuleSet> {
  const { rows } = await sql<{
    version_no: number
    hash: string
  }>`select r.version_no, md5(r.content::text) as hash from rule_set r where r.state = 'enabled'`.execute(
    db,
  )
  const now = rows[0]
  if (!now) throw new RuleSetInvalid('no version of the rules is enabled')
  const key = `${now.version_no}:${now.hash}`
  if (compiled?.key === key) return compiled.ruleSet
  const { rows: contents } = await sql<{
    content: RuleGraph
  }>`select r.content from rule_set r where r.version_no = ${now.version_no}`.execute(db)
  const content = contents[0]?.content
  if (!content) throw new RuleSetInvalid('the rules changed while they were read')
  compiled = { key, ruleSet: await compileRuleSet(now.version_no, content, sample) }
  return compiled.ruleSet
}
