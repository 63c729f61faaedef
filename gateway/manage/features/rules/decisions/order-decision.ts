/**
 * How an application was decided: from the facts and the versions that are stored with the judgement,
 * whatever has come into force since.
 */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { evaluateCondition, type UnknownCause } from '#shared/conditions/evaluate-condition.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type {
  DecidedRule,
  DecidedTable,
  orderDecision as call,
} from '#shared/rules/decision-api.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { evaluateTable } from '#shared/rules/tables/evaluate-table.ts'
import { NO_OFFER } from '#shared/rules/tables/offer.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { traceOf } from '../book/test-rule.ts'
import { fromGraph, type StoredGraph } from '../engine/rule-graph.ts'
import { fromTableGraph } from '../tables/table-graph.ts'
import type { TableJudgement } from '../tables/tables-in-force.ts'
import { withLimit } from '../tables/with-limit.ts'

type Decision = NonNullable<DataOf<typeof call>['decision']>
type Facts = Record<string, unknown>

interface ReportedRule {
  code: string
  name: string
  hit: boolean
  output: string | null
  notEvaluated?: UnknownCause
}
interface Judgement extends Omit<Decision, 'limit' | 'tables' | 'rules' | 'sides'> {
  report: { limit: number | null; rules: ReportedRule[] } | null
  facts: Facts | null
  versions: Record<string, number> | null
  tables: TableJudgement[] | null
}

export async function orderDecision(
  db: Db,
  actor: StaffActor,
  { orderId }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const { rows } = await sql<Judgement>`
    select r.id as "reviewId", r.machine_id as "machineId", r.machine_state as result,
      ${isoTime('r.machine_at')} as time, r.machine_report as report, f.facts, f.versions, f.tables
    from review r
    join loan_order o on o.id = r.order_id
    left join machine_facts f on f.review_id = r.id
    where r.order_id = ${orderId} and r.machine_at is not null and ${ordersInScope(actor)}
    order by r.machine_at desc limit 1`.execute(db)
  const [judgement] = rows
  if (!judgement) return { decision: null }
  const { report, facts, versions, tables, ...head } = judgement
  const decided = await tablesOf(db, tables ?? [], facts ?? {})
  const ofTables = new Set(decided.map(({ tableId }) => tableId))
  const reported = (report?.rules ?? []).filter(({ code }) => !ofTables.has(code))
  return {
    decision: {
      ...head,
      limit: report?.limit ?? null,
      tables: decided,
      rules: await rulesOf(db, reported, versions ?? {}, facts),
      sides: await sidesOf(db, head.reviewId),
    },
  }
}

async function tablesOf(
  db: Db,
  judged: readonly TableJudgement[],
  given: Facts,
): Promise<Static<typeof DecidedTable>[]> {
  const graphs = await graphsOf(
    db,
    { versions: 'decision_table_version', key: 'table_id' },
    judged.map(({ tableId, versionNo }) => ({ id: tableId, versionNo })),
  )
  // the stored facts already know the limit, which each table saw as the ones before it left it
  let { limit: _limit, amountAboveLimit: _above, ...facts } = given
  let before = NO_OFFER
  const decided: Static<typeof DecidedTable>[] = []
  for (const { offer, ...one } of judged) {
    const graph = graphs.get(`${one.tableId}:${one.versionNo}`)
    const table = graph ? fromTableGraph(graph) : null
    const cells = table ? evaluateTable(table, facts).rows : []
    decided.push({
      ...one,
      before: { ...before },
      after: { ...offer },
      table: table ?? { inputs: [], outputs: [], rows: [] },
      cells: cells.map((row) => row.map(({ truth }) => truth)),
    })
    before = offer
    facts = withLimit(facts, offer.limit)
  }
  return decided
}

async function rulesOf(
  db: Db,
  reported: readonly ReportedRule[],
  versions: Readonly<Record<string, number>>,
  facts: Facts | null,
): Promise<Static<typeof DecidedRule>[]> {
  const spoke = reported.filter(({ hit, notEvaluated }) => hit || notEvaluated !== undefined)
  const graphs = await graphsOf(
    db,
    { versions: 'rule_version', key: 'rule_id' },
    spoke.flatMap(({ code }) => {
      const versionNo = versions[code]
      return versionNo === undefined ? [] : [{ id: code, versionNo }]
    }),
  )
  return reported.map(({ code, name, hit, output, notEvaluated }) => {
    const versionNo = versions[code] ?? null
    const graph = graphs.get(`${code}:${versionNo}`)
    const expression = graph ? fromGraph(graph, RULE_CATALOGUE) : null
    return {
      ruleId: code,
      versionNo,
      name,
      outcome: hit ? 'hit' : notEvaluated === undefined ? 'noHit' : 'notEvaluated',
      cause: notEvaluated ?? null,
      output,
      why:
        expression === null || facts === null
          ? null
          : {
              expression,
              trace: traceOf(evaluateCondition(expression, facts, RULE_CATALOGUE)),
            },
    }
  })
}

async function graphsOf(
  db: Db,
  { versions, key }: { versions: string; key: string },
  refs: readonly { id: string; versionNo: number }[],
): Promise<Map<string, StoredGraph>> {
  if (refs.length === 0) return new Map()
  const { rows } = await sql<{ ref: string; content: StoredGraph }>`
    select v.${sql.ref(key)} || ':' || v.version_no as ref, v.content
    from ${sql.ref(versions)} v
    join jsonb_to_recordset(${JSON.stringify(refs)}::jsonb) as d (id text, "versionNo" int)
      on d.id = v.${sql.ref(key)} and d."versionNo" = v.version_no`.execute(db)
  return new Map(rows.map(({ ref, content }) => [ref, content]))
}

async function sidesOf(db: Db, reviewId: string): Promise<Decision['sides']> {
  const { rows } = await sql<Decision['sides'][number]>`
    select t.rule_id as "ruleId", v.name, w.side, w.version_no as "versionNo", t.percent
    from rule_trial_row w
    join rule_trial t on t.id = w.trial_id
    join rule_version v on v.rule_id = t.rule_id and v.version_no = t.version_no
    where w.review_id = ${reviewId} and w.side is not null
    order by t.rule_id, t.id`.execute(db)
  return rows
}
