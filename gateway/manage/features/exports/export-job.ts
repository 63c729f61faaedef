/**
 * An export: the rows are read once, by the list's own query with the rights its asker has now, and laid down in parts; each
 * part becomes lines of the file in a transaction of its own; the last step makes the file. After a crash it goes on with the
 * parts that wait: the file holds the list as it stood when it was read, each row once.
 */
import { sql } from 'kysely'
import { LIST_GREW } from '#shared/exports/exports-problems.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { withOpenPhones } from '#gateway/manage/features/customers/public.ts'
import { rightsOf } from '#gateway/manage/features/session/public.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { addRows } from '#gateway/manage/jobs/job-store.ts'
import type { Job, JobType } from '#gateway/manage/jobs/job-type.ts'
import { type StaffActor, systemActor } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { ExportableList } from '#gateway/manage/kernel/house.ts'
import { fileNameOf, fileOf, linesOf } from './export-file.ts'
import { EXPORT_JOB, type ExportParams as Params, loggedFilters } from './queue-export.ts'
import { logOpened } from './log-opened.ts'
import { permittedList, permittedReveal } from './start-export.ts'

const PART_ROWS = 500
const SEALED_AT = 'export_part.lines_enc'

export const exportJob: JobType = {
  type: EXPORT_JOB,
  doneTitle: 'jobs:notice.exported',
  async prepare(house, job) {
    // the parameters are those the start stored
    const { list: path, filters, only, approvalId, reveal } = job.params as Params
    const person = job.userId === null ? null : await rightsOf(house.database.kysely, job.userId)
    if (person === null) return new Problem(NOT_FOUND)
    const actor: StaffActor = {
      ...systemActor(person.userName),
      userId: job.userId as string,
      rights: person.rights,
      sessionId: `job:${job.id}`,
    }
    const [limit, approveAbove] = await Promise.all([
      house.parameters.int('export.max'),
      house.parameters.int('export.approveAbove'),
    ])
    const allowed = approvalId === undefined ? approveAbove : limit
    // chosen rows may stand anywhere in the list
    const most = only === undefined ? allowed : limit
    let found: Awaited<ReturnType<ExportableList['rows']>>
    try {
      const { list, code } = permittedList(house, actor, { list: path, filters })
      if (reveal === true) permittedReveal(actor, list, code)
      found = await list.rows(actor, filters, most)
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
    const wanted = only && new Set(only.ids)
    const rows =
      only === undefined
        ? found.rows
        : found.rows.filter((row) =>
            wanted?.has(String((row as Record<string, unknown>)[only.field])),
          )
    const isMissing =
      (found.isCapped || found.total > most) && rows.length < (wanted?.size ?? Infinity)
    if (isMissing || rows.length > allowed) return new Problem(LIST_GREW)
    const parts = Array.from({ length: Math.ceil(rows.length / PART_ROWS) }, (_, i) =>
      rows.slice(i * PART_ROWS, (i + 1) * PART_ROWS),
    )
    await inTransaction(house.database, async (trx) => {
      for (const [n, part] of parts.entries())
        await sql`insert into export_part (job_id, n, rows) values (${job.id}, ${n}, ${JSON.stringify(part)}::jsonb)`.execute(
          trx,
        )
      await sql`update job set params = params || ${JSON.stringify({ rows: rows.length, readAt: new Date().toISOString() })}::jsonb where id = ${job.id}`.execute(
        trx,
      )
      await addRows(
        trx,
        job.id,
        parts.map((_, n) => `${job.id}:${n}`),
      )
    })
  },
  async row(cx, target, params) {
    const { jobId, n } = partOf(target)
    const { rows: parts } = await sql<{
      rows: unknown[]
    }>`select p.rows from export_part p where p.job_id = ${jobId} and p.n = ${n}`.execute(cx.db)
    const part = parts[0]
    if (!part) throw new Problem(NOT_FOUND)
    const asked = params as Params
    const { secrets } = cx.house
    const lines = linesOf(
      asked,
      asked.reveal === true ? await withOpenPhones(cx.db, secrets, part.rows) : part.rows,
    )
    const sealed = asked.reveal === true ? secrets.seal(SEALED_AT, target, lines) : null
    await sql`update export_part set rows = null, lines = ${sealed === null ? lines : null}, lines_enc = ${sealed}::bytea where job_id = ${jobId} and n = ${n}`.execute(
      cx.db,
    )
  },
  async ended(cx, job, state) {
    if (state === 'done') await makeFile(cx, job)
    await sql`delete from export_part where job_id = ${job.id}`.execute(cx.db)
    // a filter may name a customer; the job is kept, his phone is not
    await sql`update job set params = params || ${JSON.stringify({ filters: loggedFilters((job.params as Params).filters), columns: [], only: null })}::jsonb where id = ${job.id}`.execute(
      cx.db,
    )
  },
}

function partOf(target: string): { jobId: string; n: number } {
  const [jobId = '', n = ''] = target.split(':')
  return { jobId, n: Number(n) }
}

async function makeFile(cx: Cx, job: Job): Promise<void> {
  const asked = job.params as Params
  const { format, list, code, filters, approvalId } = asked
  const { rows: parts } = await sql<{
    id: string
    lines: string | null
    sealed: Buffer | null
  }>`select p.id, p.lines, p.lines_enc as sealed from export_part p where p.job_id = ${job.id} order by p.n`.execute(
    cx.db,
  )
  // a part that failed leaves no file with a hole in it
  if (parts.some((part) => part.lines === null && part.sealed === null)) return
  const { rows: made } = await sql<{
    id: string
    account: string
    user_name: string
    now: string
    hours: number
    rows: number
  }>`
    select 'F' || nextval('file_id_seq') as id, u.account, u.user_name, clock_timestamp() as now, (select c.value::int from sys_config c where c.code = 'export.keepHours') as hours, coalesce((j.params ->> 'rows')::int, 0) as rows
    from job j join sys_user u on u.id = j.user_id where j.id = ${job.id}`.execute(cx.db)
  const file = made[0]
  if (!file) return
  const taken = { account: file.account, userName: file.user_name, at: file.now, number: job.id }
  const { mime, bytes, sha256 } = fileOf(
    asked,
    parts.map(({ id, lines, sealed }) =>
      sealed === null ? (lines as string) : cx.house.secrets.open(SEALED_AT, id, sealed),
    ),
    taken,
  )
  if (asked.reveal === true)
    await logOpened(cx, asked, { targetKind: 'job', targetId: job.id, rows: file.rows })
  await sql`
    insert into file_object (id, purpose, name, mime, size, sha256, content, owner_id, expires_at)
    values (${file.id}, 'export', ${fileNameOf(code, asked, taken)}, ${mime}, ${bytes.length}, ${sha256},
      ${cx.house.secrets.seal('file_object.content', file.id, bytes.toString('base64'))}, ${job.userId}, clock_timestamp() + make_interval(hours => ${file.hours}))`.execute(
    cx.db,
  )
  await sql`update job set file_id = ${file.id} where id = ${job.id}`.execute(cx.db)
  cx.log({
    action: 'exportDone',
    menu: code.slice(0, code.indexOf(':')),
    targetKind: 'job',
    targetId: job.id,
    after: {
      list,
      format,
      filters: loggedFilters(filters),
      ...(approvalId === undefined ? {} : { approvalId }),
      rows: file.rows,
      size: bytes.length,
      sha256: sha256.toString('hex'),
    },
  })
}
