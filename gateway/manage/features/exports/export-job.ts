/**
 * An export: the rows are read once, by the list's own query with the rights its asker has now, and laid down in parts; each
 * part becomes lines of the file in a transaction of its own; the last step makes the file. After a crash it goes on with the
 * parts that wait: the file holds the list as it stood when it was read, each row once.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { istClock, istDay } from '#shared/kernel/time.ts'
import { NOT_FOUND, Problem, TOO_MANY_ROWS } from '#shared/kernel/problem.ts'
import { rightsOf } from '#gateway/manage/features/session/public.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { addRows } from '#gateway/manage/jobs/job-store.ts'
import type { Job, JobType } from '#gateway/manage/jobs/job-type.ts'
import { type StaffActor, systemActor } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { ExportableList } from '#gateway/manage/kernel/house.ts'
import { CSV_MIME, csvFile, csvLine } from './csv-file.ts'
import { type Cell, cellOf } from './export-cells.ts'
import { codeFor, EXPORT_JOB, type ExportInput, loggedFilters } from './start-export.ts'
import { XLSX_MIME, xlsxFile, xlsxLine } from './xlsx-file.ts'

const PART_ROWS = 500
const MOST_LETTERS = 48

type Params = ExportInput & { code: string }

export const exportJob: JobType = {
  type: EXPORT_JOB,
  doneTitle: 'jobs:notice.exported',
  async prepare(house, job) {
    // the parameters are those the start stored
    const { list, filters, only } = job.params as Params
    const person = job.userId === null ? null : await rightsOf(house.database.kysely, job.userId)
    if (person === null) return new Problem(NOT_FOUND)
    const actor: StaffActor = { ...systemActor(person.userName), userId: job.userId as string, rights: person.rights, sessionId: `job:${job.id}` }
    // more rows wait for a second person, which approvals will bring; until then they are refused
    const most = await house.parameters.int('export.approveAbove')
    let found: Awaited<ReturnType<ExportableList['rows']>> | undefined
    try {
      codeFor(house, actor, { list, filters })
      found = await house.lists.get(list)?.rows(actor, filters, most)
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
    if (!found || found.isCapped || found.total > most) return new Problem(TOO_MANY_ROWS, { n: most })
    const wanted = only && new Set(only.ids)
    const rows = found.rows.filter((row) => !only || wanted?.has(String((row as Record<string, unknown>)[only.field])))
    const parts = Array.from({ length: Math.ceil(rows.length / PART_ROWS) }, (_, i) => rows.slice(i * PART_ROWS, (i + 1) * PART_ROWS))
    await inTransaction(house.database, async (trx) => {
      for (const [n, part] of parts.entries()) await sql`insert into export_part (job_id, n, rows) values (${job.id}, ${n}, ${JSON.stringify(part)}::jsonb)`.execute(trx)
      await sql`update job set params = params || ${JSON.stringify({ rows: rows.length, readAt: new Date().toISOString() })}::jsonb where id = ${job.id}`.execute(trx)
      await addRows(trx, job.id, parts.map((_, n) => `${job.id}:${n}`))
    })
  },
  async row(cx, target, params) {
    const { columns, format } = params as unknown as Params
    const { jobId, n } = partOf(target)
    const { rows: parts } = await sql<{ rows: unknown[] }>`select p.rows from export_part p where p.job_id = ${jobId} and p.n = ${n}`.execute(cx.db)
    const part = parts[0]
    if (!part) throw new Problem(NOT_FOUND)
    const line = format === 'csv' ? csvLine : xlsxLine
    const lines = part.rows.map((row) => line(columns.map((column) => cellOf(row, column)))).join('')
    await sql`update export_part set rows = null, lines = ${lines} where job_id = ${jobId} and n = ${n}`.execute(cx.db)
  },
  async ended(cx, job, state) {
    if (state === 'done') await makeFile(cx, job)
    await sql`delete from export_part where job_id = ${job.id}`.execute(cx.db)
    // a filter may name a customer; the job is kept, his phone is not
    await sql`update job set params = params || ${JSON.stringify({ filters: loggedFilters((job.params as Params).filters), columns: [], only: null })}::jsonb where id = ${job.id}`.execute(cx.db)
  },
}

function partOf(target: string): { jobId: string; n: number } {
  const [jobId = '', n = ''] = target.split(':')
  return { jobId, n: Number(n) }
}

async function makeFile(cx: Cx, job: Job): Promise<void> {
  const { columns, format, title, list, code, filters } = job.params as Params
  const { rows: parts } = await sql<{ lines: string | null }>`select p.lines from export_part p where p.job_id = ${job.id} order by p.n`.execute(cx.db)
  // a part that failed leaves no file with a hole in it
  if (parts.some((part) => part.lines === null)) return
  const { rows: made } = await sql<{ id: string; account: string; user_name: string; now: string; hours: number; rows: number }>`
    select 'F' || nextval('file_id_seq') as id, u.account, u.user_name, clock_timestamp() as now, (select c.value::int from sys_config c where c.code = 'export.keepHours') as hours, coalesce((j.params ->> 'rows')::int, 0) as rows
    from job j join sys_user u on u.id = j.user_id where j.id = ${job.id}`.execute(cx.db)
  const file = made[0]
  if (!file) return
  const head = columns.map((column): Cell => ({ text: column.title, kind: 'text' }))
  // who took it, when, by which job: the last line, so that the first stays the header
  const mark: Cell[] = [{ text: `${file.account} (${file.user_name}) · ${istDay(file.now)} ${istClock(file.now)} IST · ${job.id}`, kind: 'text' }]
  const lines = parts.map((part) => part.lines as string)
  const bytes =
    format === 'csv'
      ? csvFile([csvLine(head), ...lines, csvLine(mark)])
      : xlsxFile(title, [xlsxLine(head, true), ...lines, '<row/>', xlsxLine(mark)], columns.map((column) => Math.min(MOST_LETTERS, Math.max(12, column.title.length + 4))))
  const sha256 = createHash('sha256').update(bytes).digest()
  await sql`
    insert into file_object (id, purpose, name, mime, size, sha256, content, owner_id, expires_at)
    values (${file.id}, 'export', ${`${code.slice(0, code.indexOf(':'))}-${istDay(file.now)}-${job.id}.${format}`}, ${format === 'csv' ? CSV_MIME : XLSX_MIME}, ${bytes.length}, ${sha256},
      ${cx.house.secrets.seal('file_object.content', file.id, bytes.toString('base64'))}, ${job.userId}, clock_timestamp() + make_interval(hours => ${file.hours}))`.execute(cx.db)
  await sql`update job set file_id = ${file.id} where id = ${job.id}`.execute(cx.db)
  cx.log({ action: 'exportDone', menu: code.slice(0, code.indexOf(':')), targetKind: 'job', targetId: job.id, after: { list, format, filters: loggedFilters(filters), rows: file.rows, size: bytes.length, sha256: sha256.toString('hex') } })
}
