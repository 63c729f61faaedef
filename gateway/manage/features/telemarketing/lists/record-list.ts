/** Follow-ups as they were written. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { listRecords as listCall } from '#shared/telemarketing/record-api.ts'
import { SEGMENTS } from '#shared/telemarketing/tele-sets.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  allOf,
  filterClauses,
  isOneOf,
  notNull,
  onePage,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { sinceDay, untilDay } from '#gateway/manage/kernel/ist-days.ts'
import { peopleOfTeam, segmentsOf, tasksInScope } from '../tele-scope.ts'
import { RECORD_JOINS, RECORD_JSON } from './record-row.ts'

const SORTS = {
  recordId: notNull('r.id'),
  time: notNull('r.created_at'),
}

/** Those of the caller's team; of one task all of them, if the caller sees the task. */
export function recordList(
  { db, actor }: Query,
  input: InputOf<typeof listCall>,
): Promise<JsonText> {
  const { all, add } = filterClauses()
  const isOfTask = sql<boolean>`
    exists (select 1 from tele_task t where t.id = r.task_id and ${tasksInScope(actor)})`
  if (input.taskId !== undefined) all.push(sql<boolean>`r.task_id = ${input.taskId}`, isOfTask)
  else if (actor.rights.scope === 'own') all.push(sql<boolean>`r.operator_id = ${actor.userId}`)
  else if (actor.rights.scope !== 'all')
    all.push(
      sql<boolean>`r.operator_id in (select u.id from sys_user u where ${peopleOfTeam(actor)})`,
    )
  // for a caller with all segments the index of time is enough
  const segments = segmentsOf(actor)
  if (segments.length < SEGMENTS.length)
    all.push(sql<boolean>`r.segment = any(${segments}::text[])`)
  add(input.userId, (id) => sql`r.customer_id = ${id}`)
  add(input.segment, (segment) => sql`r.segment = ${segment}`)
  add(input.operatorId, (id) => sql`r.operator_id = ${id}`)
  add(
    input.nodeId,
    (id) => sql`r.task_id in (select t.id from tele_task t where t.node_id = ${id})`,
  )
  add(input.result, (codes) => isOneOf('r.result', codes, 'int'))
  add(input.contactWay, (way) => sql`r.contact_way = ${way}`)
  add(input.timeFrom, (day) => sinceDay('r.created_at', day))
  add(input.timeTo, (day) => untilDay('r.created_at', day))
  return onePage(db, {
    from: 'tele_record r',
    where: allOf(all),
    order: sortOf(input.sort, SORTS, 'time:desc', 'r.id'),
    row: RECORD_JSON,
    joins: RECORD_JOINS,
    input,
  })
}
