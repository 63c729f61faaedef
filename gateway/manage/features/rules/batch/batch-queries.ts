/** Queries of batch runs: jobs of certain types, and their rows. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import type * as api from '#shared/rules/batch-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  notNull,
  onePage,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import { sinceDay, untilDay } from '#gateway/manage/kernel/ist-days.ts'
import { IS_BATCH, jobTypeOf } from './batch-job.ts'

export type Batch = DataOf<typeof api.stopBatch>

const ROW = sql`
  json_build_object('batchId', j.id, 'type', substr(j.type, 7), 'source', j.params ->> 'source',
    'reason', coalesce(j.params ->> 'reason', ''), 'params', j.params - 'source' - 'reason',
    'total', j.total, 'done', j.done, 'ok', j.ok,
    'fail', j.fail, 'state', j.state, 'isStopping', j.cancel_asked and j.finished_at is null,
    'startBy', j.user_name, 'startTime', ${isoTime('j.created_at')},
    'endTime', ${isoTime('j.finished_at')})`

const SORTS = {
  startTime: notNull('j.created_at'),
  endTime: 'j.finished_at',
  type: 'j.type',
  state: 'j.state',
  total: 'j.total',
  fail: 'j.fail',
}

export function findBatches(db: Db, input: InputOf<typeof api.listBatches>): Promise<JsonText> {
  const { all, add } = filterClauses()
  all.push(IS_BATCH)
  add(input.type, (kind) => sql`j.type = ${jobTypeOf(kind)}`)
  add(input.state, (state) => sql`j.state = ${state}`)
  add(input.startBy, (name) => sql`strpos(lower(j.user_name), lower(${name}::text)) > 0`)
  add(input.timeFrom, (day) => sinceDay('j.created_at', day))
  add(input.timeTo, (day) => untilDay('j.created_at', day))
  return onePage(db, {
    from: 'job j',
    where: allOf(all),
    order: sortOf(input.sort, SORTS, 'startTime:desc', 'j.id desc'),
    row: ROW,
    input,
  })
}

export async function findBatch(db: Db, batchId: string): Promise<Batch | null> {
  const { rows } = await sql<{ batch: Batch }>`
    select ${ROW} as batch from job j where j.id = ${batchId} and ${IS_BATCH}`.execute(db)
  return rows[0]?.batch ?? null
}

/** The items in their order. */
export async function findBatchItems(
  db: Db,
  input: InputOf<typeof api.listBatchItems>,
): Promise<DataOf<typeof api.listBatchItems>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const { all, add } = filterClauses()
  all.push(sql<boolean>`r.job_id = ${input.batchId}`, IS_BATCH)
  add(input.result, (result) => sql`r.state = ${result}`)
  const where = allOf(all)
  type Item = DataOf<typeof api.listBatchItems>['rows'][number]
  const [{ rows }, counted] = await Promise.all([
    sql<Item>`
      select r.n as "itemId", substr(j.type, 7) as type, r.target_id as "orderId", o.customer_id as "userId",
         i.before, i.after, r.state as result,
        coalesce(r.msg, '') as msg, case when r.problem is not null
          then jsonb_build_object('id', r.problem, 'params', coalesce(r.params, '{}')) end as problem
      from job_row r join job j on j.id = r.job_id left join loan_order o on o.id = r.target_id
      left join batch_item i on i.batch_id = r.job_id and i.order_id = r.target_id
      where ${where}
      order by ${sortOf(input.sort, { itemId: notNull('r.n') }, 'itemId:asc', 'r.n')}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db),
    sql<{ total: number; now: string }>`
      select count(*)::int as total, clock_timestamp() as now
      from job_row r join job j on j.id = r.job_id where ${where}`.execute(db),
  ])
  const { total, now } = counted.rows[0] as { total: number; now: string }
  return { rows, total, asOf: now }
}
