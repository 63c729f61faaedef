/**
 * Says by e-mail that a report of the morning is made. The vendor keeps the text and takes no files, so
 * the message carries a link to the console, which asks for the sign-in: no figure and nothing about a
 * person leaves the console.
 */
import { sql } from 'kysely'
import type { NO_EMAIL } from '#shared/reports/subscriptions-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { type Attempt, messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'

const NAME = 'morningMail'
const ADDRESS = 'report.consoleAddress'
const NONE = 'none'
const CHUNK = 50
const PAUSE_MINUTES = 10
const MOST_TRIES = 3

interface Due {
  id: string
  jobId: string
  email: string
  language: string
  /** IST day. */
  day: string
}
interface Done extends Attempt {
  id: string
  day: string
}

export function morningMail(vendor: MessageVendor): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:60',
    menu: 'home',
    find: (context) => findDue(context, vendor),
    send: (context, due) => send(context, vendor, due),
    store,
  })
}

/** Why nothing can be sent to the reader now. */
export async function whyNoEmail(
  db: Db,
  { parameters }: AppContext,
  userId: string,
  vendor: MessageVendor | null,
): Promise<(typeof NO_EMAIL)[number] | null> {
  if (vendor === null || vendor.servesAll === false) return 'noVendor'
  if ((await parameters.text(ADDRESS)) === NONE) return 'noConsole'
  const { rows } = await sql`
    select from sys_user u where u.id = ${userId} and u.email <> ''`.execute(db)
  return rows.length === 0 ? 'noAddress' : null
}

/** Of the day: yesterday's file is no news. */
async function findDue(
  { database, parameters }: AppContext,
  vendor: MessageVendor,
): Promise<Due[]> {
  if (vendor.servesAll === false || (await parameters.text(ADDRESS)) === NONE) return []
  const { rows } = await sql<Due>`
    select s.id, s.job_id as "jobId", u.email, u.language, s.sent_day::text as day
    from report_subscription s
    join job j on j.id = s.job_id and j.state = 'done' and j.file_id is not null
    join sys_user u on u.id = s.user_id and u.email <> '' and u.status in ('enabled', 'normal')
    where s.by_email and s.sent_day = ist_day(clock_timestamp())
      and s.mailed_day is distinct from s.sent_day and s.mail_tries < ${MOST_TRIES}
      and (s.mail_tried_at is null
        or s.mail_tried_at < clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
    order by s.id limit ${CHUNK}`.execute(database.kysely)
  return rows
}

async function send(
  { parameters }: AppContext,
  vendor: MessageVendor,
  { id, jobId, email, language, day }: Due,
): Promise<Done> {
  const address = await parameters.text(ADDRESS)
  const attempt = await trySend(vendor, () => ({
    key: `report:${id}:${day}`,
    way: 'email',
    to: email,
    language,
    template: 'reportReady',
    params: { link: `${address}/home_page?job=${jobId}` },
  }))
  return { id, day, ...attempt }
}

async function store(tx: CommandTx, done: readonly Done[]): Promise<number> {
  await sql`
    update report_subscription s
    set mail_tried_at = clock_timestamp(), mail_tries = s.mail_tries + 1,
      mailed_day = case when d.sent then d.day::date else s.mailed_day end
    from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as d (id text, day text, sent boolean)
    where s.id = d.id and s.sent_day = d.day::date`.execute(tx.db)
  for (const { id, sent } of done)
    tx.log({
      action: NAME,
      targetKind: 'reportSubscription',
      targetId: id,
      after: { way: 'email', state: sent ? 'sent' : 'failed' },
    })
  return done.filter(({ sent }) => sent).length
}
