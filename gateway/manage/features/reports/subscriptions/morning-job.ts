/**
 * Makes the reports of the morning: an export job per subscription, which reads with the rights and
 * the scope its subscriber has then. A subscriber who may no longer export the report gets none.
 */
import { sql } from 'kysely'
import { mayCall, exportCode } from '#shared/kernel/permission.ts'
import { addDays } from '#shared/kernel/time.ts'
import { type ExportInput, queueExport } from '#gateway/manage/features/exports/public.ts'
import { rightsOf } from '#gateway/manage/features/session/public.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runAsSystem } from '#gateway/manage/kernel/system-command.ts'

const NAME = 'morningReports'

interface Due {
  id: string
  user_id: string
  list: string
  filters: ExportInput['filters']
  columns: ExportInput['columns']
  title: string
  days: number
  /** IST day. */
  today: string
}

export const morningReports: ScheduledClass = {
  name: NAME,
  // every quarter of an hour from seven on, so that a console that was down then still makes them
  cycle: '*/15 7-11 * * *',
  async run(context) {
    const { rows } = await sql<Due>`
      select s.id, s.user_id, s.list, s.filters, s.columns, s.title, s.days, d.today::text as today
      from report_subscription s
      cross join (select ist_day(clock_timestamp()) as today) d
      where s.sent_day is null or s.sent_day < d.today
      order by s.id`.execute(context.database.kysely)
    let created = 0
    for (const due of rows) if (await make(context, due)) created += 1
    return { created }
  },
}

function make(context: AppContext, due: Due): Promise<boolean> {
  return runAsSystem(context, { name: NAME, menu: 'home' }, async (tx) => {
    const { rows } = await sql`
      update report_subscription s set sent_day = ${due.today}::date
      where s.id = ${due.id} and (s.sent_day is null or s.sent_day < ${due.today}::date)
      returning 1`.execute(tx.db)
    const person = await rightsOf(tx.db, due.user_id)
    if (rows.length === 0 || person === null) return false
    const { permissions } = person.rights
    const list = context.lists.get(due.list)
    const filters = {
      ...due.filters,
      dateFrom: addDays(due.today, -due.days),
      dateTo: addDays(due.today, -1),
    }
    const code =
      list !== undefined && mayCall(list.endpoint.access, permissions)
        ? exportCode(list.endpoint, permissions, filters)
        : null
    if (code === null) return false
    const { list: path, columns, title, user_id: userId } = due
    const jobId = await queueExport(
      tx,
      { list: path, filters, columns, title, format: 'xlsx' },
      { code },
      { userId, userName: person.userName },
    )
    await sql`
      update report_subscription s set job_id = ${jobId}, mail_tries = 0, mail_tried_at = null
      where s.id = ${due.id}`.execute(tx.db)
    return true
  })
}
