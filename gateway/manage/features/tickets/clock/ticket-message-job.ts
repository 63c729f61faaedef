import { sql } from 'kysely'
import { type Attempt, messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { MENU } from '../ticket-events.ts'

const NAME = 'ticketMessage'
const CHUNK = 50
/** A message the vendor refused is tried again after this time, this often. */
const PAUSE_MINUTES = 10
const MOST_TRIES = 5

interface Untold {
  id: string
  feedback_id: string
  customer_id: string
  kind: 'reply' | 'resolved'
  content: string
  contact_way: string
  phone_enc: Buffer
  email_enc: Buffer | null
  language: string
}
interface Told extends Attempt {
  untold: Untold
  way: 'sms' | 'email'
  template: 'ticketEnded' | 'ticketAnswered'
}

/** Tells customers what was answered: each public reply and each resolution goes out once by the way the customer chose. */
export function ticketMessage(vendor: MessageVendor): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:60',
    menu: MENU,
    find: findUntold,
    send: (house, untold) => tell(house, vendor, untold),
    store,
    sentence: (told, failed) => `${told} customers told, ${failed} not reached`,
  })
}

async function findUntold(house: House): Promise<Untold[]> {
  const { rows } = await sql<Untold>`
    select s.id::text as id, s.feedback_id, t.customer_id, s.kind, s.content, t.contact_way, u.phone_enc, u.email_enc, u.language
    from feedback_step s join feedback t on t.id = s.feedback_id join customer u on u.id = t.customer_id
    where s.message = 'due' and (s.message_at is null or s.message_at < clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
    order by s.id limit ${CHUNK}`.execute(house.database.kysely)
  return rows
}

async function tell({ secrets }: House, vendor: MessageVendor, untold: Untold): Promise<Told> {
  const { id, feedback_id, customer_id, contact_way, phone_enc, email_enc, language, content } =
    untold
  const byEmail = contact_way === 'email' && email_enc !== null
  const way = byEmail ? 'email' : 'sms'
  const template = untold.kind === 'resolved' ? 'ticketEnded' : 'ticketAnswered'
  const attempt = await trySend(vendor, () => ({
    key: `ticket:${id}:${way}`,
    way,
    language,
    template,
    params: { ticket: feedback_id, text: content },
    to: byEmail
      ? secrets.open('customer.email_enc', customer_id, email_enc)
      : secrets.open('customer.phone_enc', customer_id, phone_enc),
  }))
  return { untold, way, template, ...attempt }
}

async function store(cx: Cx, results: readonly Told[]): Promise<number> {
  const rows = results.map(({ untold, way, template, sent, vendorRef }) => ({
    id: untold.id,
    customer_id: untold.customer_id,
    way,
    template,
    state: sent ? 'sent' : 'failed',
    vendor_ref: vendorRef,
  }))
  await sql`
    with told as (
      select m.id::bigint as id, m.customer_id, m.way, m.template, m.state, m.vendor_ref from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (id text, customer_id text, way text, template text, state text, vendor_ref text)
    ), stored as (
      insert into message_log (customer_id, way, template, state, vendor_ref, at) select m.customer_id, m.way, m.template, m.state, m.vendor_ref, clock_timestamp() from told m
    )
    update feedback_step s set message_at = clock_timestamp(), message_tries = s.message_tries + 1,
      message = case when m.state = 'sent' then 'sent' when s.message_tries + 1 >= ${MOST_TRIES} then 'failed' else 'due' end
    from told m where m.id = s.id and s.message = 'due'`.execute(cx.db)
  return results.filter(({ sent }) => sent).length
}
