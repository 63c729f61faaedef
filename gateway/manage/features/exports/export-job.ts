/**
 * An export job: the rows are read once, by the list's own query with the requester's current
 * rights, and stored in parts. Each part becomes lines of the file in its own transaction; the last
 * step makes the file. After a crash the remaining parts continue, so the file holds the list as it
 * was when read, each row once.
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
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { ExportableList } from '#gateway/manage/kernel/app-context.ts'
import { fileNameOf, fileOf, linesOf } from './export-file.ts'
import { EXPORT_JOB, type ExportParams as Params, loggedFilters } from './queue-export.ts'
import { logOpened } from './log-opened.ts'
import { permittedList, permittedReveal } from './start-export.ts'

const PART_ROWS = 500
const SEALED_AT = 'export_part.lines_enc'

export const exportJob: JobType = {
  type: EXPORT_JOB,
  doneTitle: 'jobs:notification.exported',
  async prepare(context, job) {
    // the parameters were written by startExport
    const { list: path, filters, only, approvalId, reveal } = job.params as Params
    const person = job.userId === null ? null : await rightsOf(context.database.kysely, job.userId)
    if (person === null) return new Problem(NOT_FOUND)
    const actor: StaffActor = {
      ...systemActor(person.userName),
      userId: job.userId as string,
      rights: person.rights,
      sessionId: `job:${job.id}`,
    }
    const [limit, approveAbove] = await Promise.all([
      context.parameters.int('export.max'),
      context.parameters.int('export.approveAbove'),
    ])
    const allowed = approvalId === undefined ? approveAbove : limit
    // selected rows may be anywhere in the list
    const most = only === undefined ? allowed : limit
    let found: Awaited<ReturnType<ExportableList['rows']>>
    try {
      const { list, code } = permittedList(context, actor, { list: path, filters })
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
    await inTransaction(context.database, async (trx) => {
      for (const [n, part] of parts.entries())
        await sql`
          insert into export_part (job_id, n, rows) values (${job.id}, ${n}, ${JSON.stringify(part)}::jsonb)`.execute(
          trx,
        )
      await sql`
        update job
          set params = params ||
          ${JSON.stringify({ rows: rows.length, readAt: new Date().toISOString() })}::jsonb
          where id = ${job.id}`.execute(trx)
      await addRows(
        trx,
        job.id,
        parts.map((_, n) => `${job.id}:${n}`),
      )
    })
  },
  async row(tx, target, params) {
    const { jobId, n } = partOf(target)
    const { rows: parts } = await sql<{
      rows: unknown[]
    }>`select p.rows from export_part p where p.job_id = ${jobId} and p.n = ${n}`.execute(tx.db)
    const part = parts[0]
    if (!part) throw new Problem(NOT_FOUND)
    const request = params as Params
    const { secrets } = tx.context
    const lines = linesOf(
      request,
      request.reveal === true ? await withOpenPhones(tx.db, secrets, part.rows) : part.rows,
    )
    const sealed = request.reveal === true ? secrets.seal(SEALED_AT, target, lines) : null
    await sql`
      update export_part set rows = null, lines = ${sealed === null ? lines : null},
        lines_enc = ${sealed}::bytea where job_id = ${jobId} and n = ${n}`.execute(tx.db)
  },
  async ended(tx, job, state) {
    if (state === 'done') await makeFile(tx, job)
    await sql`delete from export_part where job_id = ${job.id}`.execute(tx.db)
    // a filter may hold a customer's phone, which must not stay in the job row
    const filters = loggedFilters((job.params as Params).filters)
    await sql`
      update job
      set params = params || ${JSON.stringify({ filters, columns: [], only: null })}::jsonb
      where id = ${job.id}`.execute(tx.db)
  },
}

function partOf(target: string): { jobId: string; n: number } {
  const [jobId = '', n = ''] = target.split(':')
  return { jobId, n: Number(n) }
}

async function makeFile(tx: CommandTx, job: Job): Promise<void> {
  const request = job.params as Params
  const { format, list, code, filters, approvalId } = request
  const { rows: parts } = await sql<{
    id: string
    lines: string | null
    sealed: Buffer | null
  }>`select p.id, p.lines, p.lines_enc as sealed from export_part p where p.job_id = ${job.id} order by p.n`.execute(
    tx.db,
  )
  // after a failed part there is no file, because it would have a gap
  if (parts.some((part) => part.lines === null && part.sealed === null)) return
  const { rows: made } = await sql<{
    id: string
    account: string
    user_name: string
    now: string
    hours: number
    rows: number
  }>`
    select 'F' || nextval('file_id_seq') as id, u.account, u.user_name, clock_timestamp() as now,
      (select c.value::int from sys_config c
      where c.code = 'export.keepHours') as hours, coalesce((j.params ->> 'rows')::int, 0) as rows
    from job j join sys_user u on u.id = j.user_id where j.id = ${job.id}`.execute(tx.db)
  const file = made[0]
  if (!file) return
  const taken = { account: file.account, userName: file.user_name, at: file.now, number: job.id }
  const { mime, bytes, sha256 } = fileOf(
    request,
    parts.map(({ id, lines, sealed }) =>
      sealed === null ? (lines as string) : tx.context.secrets.open(SEALED_AT, id, sealed),
    ),
    taken,
  )
  if (request.reveal === true)
    await logOpened(tx, request, { targetKind: 'job', targetId: job.id, rows: file.rows })
  await sql`
    insert into file_object (id, purpose, name, mime, size, sha256, content, owner_id, expires_at)
    values (${file.id}, 'export', ${fileNameOf(code, request, taken)}, ${mime}, ${bytes.length}, ${sha256},
      ${tx.context.secrets.seal('file_object.content', file.id, bytes.toString('base64'))}, ${job.userId},
        clock_timestamp() + make_interval(hours => ${file.hours}))`.execute(tx.db)
  await sql`update job set file_id = ${file.id} where id = ${job.id}`.execute(tx.db)
  tx.log({
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
