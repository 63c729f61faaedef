/** Rows of `rule` and its versions. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Condition } from '#shared/conditions/condition.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/rules/rule-api.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { pendingApproval } from '#gateway/manage/features/approvals/public.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import {
  allOf,
  countedTo,
  filterClauses,
  isoTime,
  notNull,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { fromGraph, type StoredGraph } from '../engine/rule-graph.ts'
import { RuleSetInvalid } from '../engine/rule-set-invalid.ts'

export type RuleRow = Static<typeof api.RuleRow>
export type RuleVersionRow = Static<typeof api.RuleVersion>
type Stored<Row> = Omit<Row, 'expression'> & { content: StoredGraph }

/** The version shown: that in force, else the latest. */
const SHOWN = sql`v.version_no = coalesce(r.enabled_no, r.latest_no)`
const FROM = sql`rule r join rule_version v on v.rule_id = r.id and ${SHOWN}
  join rule_group g on g.id = v.group_id join rule_action x on x.id = v.action_id`

// both ends, each asked once: else the planner counts a third of all hits, and no index is used
const counted = (outcome: string) => sql`
  (select count(*)::int from rule_hit h where h.rule_id = r.id and h.outcome = ${outcome}
    and h.at > (select clock_timestamp() - interval '7 days') and h.at <= (select clock_timestamp()))`

const SAID = sql`v.version_no as "versionNo", v.name, v.type, v.group_id as "groupId",
  v.priority, v.mode, v.description, v.content, v.action_id as "actionId", v.output,
  v.refusal_code as "refusalCode", g.name as "groupName", x.name as "actionName",
  x.kind as "actionKind"`

const ROW = sql`r.id as "ruleId", ${SAID}, r.status, r.latest_no as "latestNo",
  r.enabled_no is not null and r.latest_no <> r.enabled_no as "hasDraft",
  ${counted('hit')} as "hitCount7d", ${counted('notEvaluated')} as "openCount7d",
  (select count(*)::int from rule_case k where k.rule_id = r.id) as "caseCount",
  ${sql.raw(pendingApproval(['ruleEnable'], 'r.id'))} as approval,
  r.updated_by_name as "updateBy", ${isoTime('r.updated_at')} as "updateTime", r.version`

const SORTS = {
  order: notNull('g.sort, g.id, v.priority'),
  ruleId: notNull('r.id'),
  name: notNull('lower(v.name)'),
  type: notNull('v.type'),
  status: notNull('r.status'),
  priority: notNull('v.priority'),
  refusalCode: 'v.refusal_code',
  updateTime: notNull('r.updated_at'),
}

export async function findRules(
  db: Db,
  input: InputOf<typeof api.listRules>,
): Promise<Page<RuleRow>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const { all, add } = filterClauses()
  add(input.ruleId, (id) => sql`r.id = ${id}`)
  add(input.name, (name) => sql`strpos(lower(v.name), lower(${name}::text)) > 0`)
  add(input.type, (type) => sql`v.type = ${type}`)
  add(input.groupId, (id) => sql`v.group_id = ${id}`)
  add(input.status, (status) => sql`r.status = ${status}`)
  add(input.refusalCode, (code) => sql`v.refusal_code = ${code}`)
  const { rows } = await sql<Stored<RuleRow> & { total: number; now: string }>`
    select ${ROW}, least(count(*) over (), ${countedTo(input)}::int)::int as total,
      ${isoTime('clock_timestamp()')} as now
    from ${FROM} where ${allOf(all)}
    order by ${sortOf(input.sort, SORTS, 'order:asc', 'r.id')}
    limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const [first] = rows
  return {
    rows: rows.map(({ total: _total, now: _now, ...row }) => withExpression(row)),
    total: first?.total ?? 0,
    asOf: first?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 */
export async function readRule(db: Db, ruleId: string): Promise<RuleRow> {
  const { rows } = await sql<Stored<RuleRow>>`
    select ${ROW} from ${FROM} where r.id = ${ruleId}`.execute(db)
  const [row] = rows
  if (!row) throw new Problem(NOT_FOUND)
  return withExpression(row)
}

/** @throws Problem G404 */
export async function lockRule(trx: Trx, ruleId: string): Promise<RuleRow> {
  await sql`select 1 from rule r where r.id = ${ruleId} for update`.execute(trx)
  return readRule(trx, ruleId)
}

const VERSION = sql`${SAID}, v.state, v.created_by_name as "createBy",
  ${isoTime('v.created_at')} as "createTime", v.enabled_by_name as "enableBy",
  ${isoTime('v.enabled_at')} as "enableTime"`

/** The newest first. */
export async function readVersions(db: Db, ruleId: string): Promise<RuleVersionRow[]> {
  const { rows } = await sql<Stored<RuleVersionRow>>`
    select ${VERSION} from rule_version v
    join rule_group g on g.id = v.group_id join rule_action x on x.id = v.action_id
    where v.rule_id = ${ruleId} order by v.version_no desc`.execute(db)
  return rows.map(withExpression)
}

/** @throws Problem G404 */
export async function readVersion(
  db: Db,
  ruleId: string,
  versionNo: number,
): Promise<RuleVersionRow> {
  const { rows } = await sql<Stored<RuleVersionRow>>`
    select ${VERSION} from rule_version v
    join rule_group g on g.id = v.group_id join rule_action x on x.id = v.action_id
    where v.rule_id = ${ruleId} and v.version_no = ${versionNo}`.execute(db)
  const [row] = rows
  if (!row) throw new Problem(NOT_FOUND)
  return withExpression(row)
}

function withExpression<Row extends { content: StoredGraph; name: string }>({
  content,
  ...row
}: Row): Omit<Row, 'content'> & { expression: Condition } {
  const expression = fromGraph(content, RULE_CATALOGUE)
  if (expression === null) throw new RuleSetInvalid(`the graph of "${row.name}" is not a condition`)
  return { ...row, expression }
}
