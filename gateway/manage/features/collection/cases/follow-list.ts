import { type RawBuilder, sql } from 'kysely'
import type { listFollows as call } from '#shared/collection/cases-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  countedTo,
  filterClauses,
  isOneOf,
  isoTime,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { FOLLOW_ROW_JOINS, followRowJson } from './case-row.ts'

type Input = InputOf<typeof call>

const SORTABLE: Sorts = {
  createTime: notNull('f.created_at'),
  followId: notNull('f.id'),
  caseId: notNull('f.case_id'),
}

/**
 * Records of contacts, newest first: those of the own unit, for a collector the own ones, and all
 * of a case the caller holds.
 */
export async function followList(db: Db, actor: StaffActor, input: Input): Promise<JsonText> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const skip = ((input.pageNum ?? 1) - 1) * size
  const where = sql.join([followsInScope(actor, input.caseId), ...filtersOf(input)], sql` and `)
  const order =
    input.sort === undefined
      ? sql.raw('f.created_at desc, f.id desc')
      : sortOf(input.sort, SORTABLE, '', 'f.id')
  const { rows } = await sql<{ answer: string }>`
    with total as (
      select count(*)::int as n from (select from follow_up f where ${where} limit ${cap + 1}) t
    ), page as (
      select f.id from follow_up f where ${where} order by ${order} limit ${size} offset ${skip}
    )
    select json_build_object(
      'rows', coalesce((select json_agg(${followRowJson} order by ${order}) from page x
        join follow_up f on f.id = x.id ${FOLLOW_ROW_JOINS}), '[]'),
      'total', least(t.n, ${cap}::int), 'totalCapped', t.n > ${cap}, 'asOf',
        ${isoTime('clock_timestamp()')})::text as answer
    from total t`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}

/**
 * Scope is the unit that had the case at the contact. The holder of a case sees earlier contacts of
 * others on it.
 */
function followsInScope(
  { userId, rights }: StaffActor,
  caseId: string | undefined,
): RawBuilder<boolean> {
  switch (rights.scope) {
    case 'all':
      return sql<boolean>`true`
    case 'agency':
      return sql<boolean>`f.agency_id = ${rights.agencyId}`
    case 'department':
      return sql<boolean>`f.department_id = ${rights.departmentId}`
    case 'group':
      return sql<boolean>`f.group_id = ${rights.groupId}`
    case 'own':
      if (caseId === undefined) return sql<boolean>`f.operator_id = ${userId}`
      return sql<boolean>`
        (f.operator_id = ${userId} or exists (select 1 from collection_case c where c.id = f.case_id
          and c.collector_id = ${userId}))`
    case 'queue':
      return sql<boolean>`false`
  }
}

function filtersOf(input: Input): RawBuilder<boolean>[] {
  const { all: filters, add } = filterClauses()
  add(input.caseId, (id) => sql`f.case_id = ${id}`)
  add(input.orderId, (id) => sql`f.order_id = ${id}`)
  add(input.collectorId, (id) => sql`f.operator_id = ${id}`)
  add(input.agencyId, (id) => sql`f.agency_id = ${id}`)
  add(input.stageId, (ids) => isOneOf('f.stage_id', ids, 'text'))
  add(input.contactResult, (results) => isOneOf('f.contact_result', results, 'int'))
  add(input.willingness, (levels) => isOneOf('f.willingness', levels, 'int'))
  add(input.createTimeFrom, (time) => sql`f.created_at >= ${time}::timestamptz`)
  add(input.createTimeTo, (time) => sql`f.created_at <= ${time}::timestamptz`)
  return filters
}
