/** Tasks of the robot for their list, one of them, and those of a case with their transcripts. */
import { sql } from 'kysely'
import type * as api from '#shared/ai-calls/ai-calls-api.ts'
import { CASE_TASKS_MOST } from '#shared/ai-calls/ai-calls-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { casesInScope } from '#gateway/manage/features/collection/public.ts'
import { listedInScope, ofOrdersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  notNull,
  onePage,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import { TRANSCRIPT_PLACE } from './receive-call.ts'

type Detail = DataOf<typeof api.aiTaskDetail>
type Call = Detail['calls'][number]

const SORTS = { createTime: notNull('t.created_at'), taskId: notNull('t.id') }

const ROW = sql`
  json_build_object('taskId', t.id, 'configId', t.config_id, 'robotName', k.robot_name, 'caseId',
    t.case_id, 'orderId', t.order_id, 'userId', t.customer_id, 'userName', u.name, 'overdueDays',
    t.overdue_days, 'state', t.state, 'attempt', t.attempt, 'result', t.result,
    'dueTime', ${isoTime('t.due_at')}, 'startTime', ${isoTime('t.started_at')}, 'durationSec',
    t.duration_sec, 'cause', t.cancel_cause, 'createTime', ${isoTime('t.created_at')}, 'version', t.version)`
const JOINS = sql`
  join ai_call_config k on k.id = t.config_id join customer u on u.id = t.customer_id`

export function listAiTasks(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof api.listAiTasks>,
): Promise<JsonText> {
  const { all, add } = filterClauses()
  all.push(listedInScope(actor, 't.order_id'))
  add(input.taskId, (id) => sql`t.id = ${id}`)
  add(input.configId, (id) => sql`t.config_id = ${id}`)
  add(input.state, (state) => sql`t.state = ${state}`)
  add(input.result, (result) => sql`t.result = ${result}`)
  add(input.userId, (id) => sql`t.customer_id = ${id}`)
  add(input.orderId, (id) => sql`t.order_id = ${id}`)
  add(input.timeFrom, (from) => sql`t.created_at >= ${from}::timestamptz`)
  add(input.timeTo, (to) => sql`t.created_at < ${to}::timestamptz`)
  return onePage(db, {
    from: 'ai_call_task t',
    where: allOf(all),
    order: sortOf(input.sort, SORTS, 'createTime:desc', 't.id desc'),
    row: ROW,
    joins: JOINS,
    input,
  })
}

/** @throws Problem G404 when it is missing or outside the caller's scope */
export async function aiTaskDetail(
  db: Db,
  actor: StaffActor,
  secrets: Secrets,
  taskId: string,
): Promise<Detail> {
  const { rows } = await sql<{ task: Detail['task'] }>`
    select ${ROW} as task from ai_call_task t ${JOINS}
      where t.id = ${taskId} and ${ofOrdersInScope(actor, 't.order_id')}`.execute(db)
  const task = rows[0]?.task
  if (!task) throw new Problem(NOT_FOUND)
  const calls = await callsOf(db, secrets, [taskId])
  return { task, calls: calls.get(taskId) ?? [] }
}

/**
 * Visible to every user who may see the case.
 * @throws Problem G404 when the case is missing or outside the caller's scope
 */
export async function caseAiCalls(
  db: Db,
  actor: StaffActor,
  secrets: Secrets,
  caseId: string,
): Promise<DataOf<typeof api.caseAiCalls>> {
  const { rows } = await sql<{ tasks: Detail['task'][] }>`
    select (select coalesce(json_agg(x.row order by x.created_at desc, x.id desc), '[]') from (
        select ${ROW} as row, t.created_at, t.id from ai_call_task t ${JOINS} where t.case_id = c.id
        order by t.created_at desc, t.id desc limit ${CASE_TASKS_MOST}) x) as tasks
    from collection_case c where c.id = ${caseId} and ${casesInScope(actor)}`.execute(db)
  const tasks = rows[0]?.tasks
  if (!tasks) throw new Problem(NOT_FOUND)
  const calls = await callsOf(
    db,
    secrets,
    tasks.map(({ taskId }) => taskId),
  )
  return {
    tasks: tasks.map(
      ({ taskId, robotName, state, attempt, result, dueTime, cause, createTime }) => ({
        taskId,
        robotName,
        state,
        attempt,
        result,
        dueTime,
        cause,
        createTime,
        calls: calls.get(taskId) ?? [],
      }),
    ),
  }
}

/** Calls by task, the newest first. */
async function callsOf(db: Db, secrets: Secrets, taskIds: string[]): Promise<Map<string, Call[]>> {
  const { rows } = await sql<Omit<Call, 'transcript'> & { taskId: string; sealed: Buffer | null }>`
    select a.task_id as "taskId", a.id as "callId", a.no, a.state, a.result,
      ${isoTime('a.started_at')} as "startTime", a.duration_sec as "durationSec",
      l.number as "lineNumber", a.promise_day::text as "promiseDay",
      a.promise_amount as "promiseAmount", a.transcript_enc as sealed
    from ai_call a join phone_line l on l.id = a.line_id where a.task_id = any(${taskIds}::text[])
    order by a.no desc`.execute(db)
  const calls = new Map<string, Call[]>()
  for (const { taskId, sealed, ...call } of rows) {
    const transcript =
      sealed === null
        ? []
        : (JSON.parse(secrets.open(TRANSCRIPT_PLACE, call.callId, sealed)) as Call['transcript'])
    calls.set(taskId, [...(calls.get(taskId) ?? []), { ...call, transcript }])
  }
  return calls
}
