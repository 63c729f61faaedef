/**
 * Reminds customers of instalments that fall due soon, by SMS: once on each of the chosen days, within
 * the calling hours of collection, which are the strictest there are.
 */
import { sql } from 'kysely'
import { isInsideIstWindow, istDay } from '#shared/kernel/time.ts'
import { type Attempt, messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { parameterValue } from '#gateway/manage/kernel/parameters.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { canSend } from '#gateway/manage/vendors/message-vendors.ts'

const NAME = 'dueReminder'
const BATCH = 500
/** Pause before a message that the vendor refused is sent again, and how often that happens a day. */
const PAUSE_MINUTES = 30
const MOST_TRIES = 3

interface Due {
  plan_id: string
  customer_id: string
  app_id: string
  order_id: string
  due_day: string
  today: string
  outstanding: number
  language: string
  phone_enc: Buffer
}
interface Sent {
  due: Due
  attempt: Attempt
}

export function dueReminder(vendor: MessageVendor): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:300',
    menu: 'repay_plan',
    find: (context) => findDue(context, vendor),
    send: (context, due) => send(context, vendor, due),
    store,
  })
}

async function findDue(
  { database: { kysely } }: AppContext,
  vendor: MessageVendor,
): Promise<Due[]> {
  const { rows: given } = await sql<{ now: string; from: string; to: string; days: string }>`
    select clock_timestamp() as now, ${parameterValue('collection.callFrom')} as "from",
      ${parameterValue('collection.callTo')} as "to",
      coalesce(${parameterValue('repay.remindDays')}, '') as days`.execute(kysely)
  const [{ now, from, to, days }] = given as [(typeof given)[0]]
  const before = days.split(',').flatMap((day) => (day.trim() === '' ? [] : [Number(day)]))
  if (before.length === 0 || !isInsideIstWindow(now, from, to)) return []
  const { rows } = await sql<Due>`
    select p.id as plan_id, c.id as customer_id, o.app_id, p.order_id, p.due_at::text as due_day,
      ${istDay(now)} as today, p.outstanding,
      c.language, c.phone_enc
    from repay_plan p
    join loan_order o on o.id = p.order_id and o.status in (30, 43)
    join customer c on c.id = o.customer_id
    where p.due_at >= ${istDay(now)}::date and p.due_at <= ${istDay(now)}::date + 3
      and p.due_at - ${istDay(now)}::date = any(${before}::int[])
      and ${canSend(vendor, 'sms', sql`o.app_id`)} and p.outstanding > 0 and p.payment_status <> 'processing'
      and not exists (select from stop_collection x where x.customer_id = c.id and x.state = 'active')
      and not exists (
        select from message_log m
        where m.plan_id = p.id and ist_day(m.at) = ${istDay(now)}::date
          and (m.state = 'sent' or m.at > clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
      )
      and (select count(*) from message_log m
        where m.plan_id = p.id and ist_day(m.at) = ${istDay(now)}::date) < ${MOST_TRIES}
    order by p.due_at, p.id limit ${BATCH}`.execute(kysely)
  return rows
}

async function send({ secrets }: AppContext, vendor: MessageVendor, due: Due): Promise<Sent> {
  const { plan_id, customer_id, app_id, order_id, due_day, today, outstanding } = due
  const { language, phone_enc } = due
  const attempt = await trySend(vendor, () => ({
    key: `remind:${plan_id}:${today}`,
    appId: app_id,
    way: 'sms',
    to: secrets.open('customer.phone_enc', customer_id, phone_enc),
    language,
    template: 'dueReminder',
    params: { order: order_id, amount: String(outstanding), due: due_day },
  }))
  return { due, attempt }
}

async function store(tx: CommandTx, results: readonly Sent[]): Promise<number> {
  const rows = results.map(({ due, attempt }) => ({
    customer_id: due.customer_id,
    plan_id: due.plan_id,
    state: attempt.sent ? 'sent' : 'failed',
    vendor_ref: attempt.vendorRef,
  }))
  await sql`
    insert into message_log (customer_id, way, template, plan_id, state, vendor_ref, at)
    select m.customer_id, 'sms', 'dueReminder', m.plan_id, m.state, m.vendor_ref, clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (customer_id text, plan_id text, state text,
      vendor_ref text)`.execute(tx.db)
  return results.filter(({ attempt }) => attempt.sent).length
}
