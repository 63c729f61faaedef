import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '#shared/kernel/page.ts'
import type { jobDetail, listJobs } from '#shared/jobs/jobs-api.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'

const MOST_FAILED = 500
const SORTS: ReadonlyMap<string, string> = new Map([
  ['createTime', 'j.created_at'],
  ['finishTime', 'j.finished_at'],
  ['type', 'j.type'],
  ['state', 'j.state'],
])

interface JobRecord {
  id: string
  type: string
  menu: string | null
  state: string
  total: number
  done: number
  ok: number
  fail: number
  message: string | null
  user_name: string | null
  created_at: string
  finished_at: string | null
  title: string | null
  rows: number | null
  file_id: string | null
}

const COLUMNS = sql.raw(
  `
    j.id, j.type, j.menu, j.state, j.total, j.done, j.ok, j.fail, j.message, j.user_name, j.created_at,
      j.finished_at, j.params ->> 'title' as title, (j.params ->> 'rows')::int as rows,
      (select f.id from file_object f where f.id = j.file_id
        and f.expires_at > clock_timestamp()) as file_id`,
)

/** Jobs the caller may see, as a predicate over `job j`: their own; an administrator sees all. */
export function jobsInScope(actor: StaffActor): RawBuilder<boolean> {
  return actor.rights.roleMark === ADMINISTRATOR
    ? sql<boolean>`true`
    : sql<boolean>`j.user_id = ${actor.userId}`
}

export async function findJobs(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof listJobs>,
): Promise<DataOf<typeof listJobs>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const where = sql`
    ${jobsInScope(actor)} and (${input.type ?? null}::text is null or j.type = ${input.type ?? null})
      and (${input.state ?? null}::text is null or j.state = ${input.state ?? null})`
  const { rows } = await sql<JobRecord>`
      select ${COLUMNS} from job j where ${where} order by ${orderBy(input.sort)}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const counted = await sql<{ total: number; now: string }>`
    select count(*) as total, clock_timestamp() as now
    from (select 1 from job j where ${where} limit ${TOTAL_CAP + 1}) t`.execute(db)
  const { total, now } = counted.rows[0] as { total: number; now: string }
  return {
    rows: rows.map(rowOf),
    total: Math.min(total, TOTAL_CAP),
    ...(total > TOTAL_CAP ? { totalCapped: true } : {}),
    asOf: now,
  }
}

export async function findJob(
  db: Db,
  actor: StaffActor,
  jobId: string,
): Promise<DataOf<typeof jobDetail>['job'] | null> {
  const { rows } = await sql<JobRecord>`
      select ${COLUMNS} from job j where j.id = ${jobId} and ${jobsInScope(actor)}`.execute(db)
  return rows[0] ? rowOf(rows[0]) : null
}

export async function failedRows(
  db: Db,
  jobId: string,
): Promise<DataOf<typeof jobDetail>['failed']> {
  const { rows } = await sql<DataOf<typeof jobDetail>['failed'][number]>`
    select r.target_id as id, coalesce(r.code, 500) as code, coalesce(r.msg, '') as msg, r.problem,
      coalesce(r.params, '{}') as params
      from job_row r where r.job_id = ${jobId} and r.state = 'failed' order by r.n limit ${MOST_FAILED}`.execute(
    db,
  )
  return rows
}

export async function waitingRows(db: Db, jobId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.target_id as id from job_row r where r.job_id = ${jobId} and r.state = 'waiting'
      order by r.n limit ${MOST_FAILED}`.execute(db)
  return rows.map(({ id }) => id)
}

function rowOf(job: JobRecord): DataOf<typeof jobDetail>['job'] {
  return {
    jobId: job.id,
    type: job.type,
    menu: job.menu,
    state: job.state,
    total: job.total,
    done: job.done,
    ok: job.ok,
    fail: job.fail,
    message: job.message,
    userName: job.user_name,
    createTime: job.created_at,
    finishTime: job.finished_at,
    title: job.title,
    rows: job.rows,
    fileId: job.file_id,
  }
}

function orderBy(sort: string | undefined): RawBuilder<unknown> {
  const keys = (sort ?? 'createTime:desc').split(',').map((part) => {
    const [field, direction] = part.split(':') as [string, string]
    const column = SORTS.get(field)
    if (column === undefined) throw new Problem(INVALID_FIELDS, {}, { fields: { sort: 'unknown' } })
    return sql`${sql.ref(column)} ${sql.raw(direction === 'asc' ? 'asc' : 'desc')}`
  })
  return sql.join([...keys, sql`j.id desc`])
}
