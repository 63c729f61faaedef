import { sql } from 'kysely'
import { type Attempt, messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { canSend } from '#gateway/manage/vendors/message-vendors.ts'
import { MENU } from '../ticket-events.ts'

const NAME = 'ticketMessage'
const CHUNK = 50
/** Delay between tries after the vendor refused a message, and the number of tries. */
const PAUSE_MINUTES = 10
const MOST_TRIES = 5

interface Unsent {
  id: string
  feedback_id: string
  customer_id: string
  app_id: string
  kind: 'reply' | 'resolved'
  content: string
  contact_way: string
  phone_enc: Buffer
  email_enc: Buffer | null
  language: string
}
interface Sent extends Attempt {
  unsent: Unsent
  way: 'sms' | 'email'
  template: 'ticketEnded' | 'ticketAnswered'
}

/**
 * Sends each public reply and each resolution to the customer once, over the channel the customer
 * chose.
 */
export function ticketMessage(vendor: MessageVendor): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:60',
    menu: MENU,
    find: (context) => findUnsent(context, vendor),
    send: (context, unsent) => sendToCustomer(context, vendor, unsent),
    store,
  })
}

async function findUnsent(context: AppContext, vendor: MessageVendor): Promise<Unsent[]> {
  const { rows } = await sql<Unsent>`
    select s.id::text as id, s.feedback_id, t.customer_id, u.app_id, s.kind, s.content, t.contact_way, u.phone_enc,
      u.email_enc, u.language
    from feedback_step s join feedback t on t.id = s.feedback_id join customer u on u.id = t.customer_id
    where s.message = 'due' and ${canSend(vendor, 'sms', sql`u.app_id`)} and (s.message_at is null
      or s.message_at < clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
    order by s.id limit ${CHUNK}`.execute(context.database.kysely)
  return rows
}

async function sendToCustomer(
  { secrets }: AppContext,
  vendor: MessageVendor,
  unsent: Unsent,
): Promise<Sent> {
  const { id, feedback_id, customer_id, contact_way, phone_enc, email_enc, language, content } =
    unsent
  const byEmail = contact_way === 'email' && email_enc !== null
  const way = byEmail ? 'email' : 'sms'
  const template = unsent.kind === 'resolved' ? 'ticketEnded' : 'ticketAnswered'
  const attempt = await trySend(vendor, () => ({
    key: `ticket:${id}:${way}`,
    appId: unsent.app_id,
    way,
    language,
    template,
    params: { ticket: feedback_id, text: content },
    to: byEmail
      ? secrets.open('customer.email_enc', customer_id, email_enc)
      : secrets.open('customer.phone_enc', customer_id, phone_enc),
  }))
  return { unsent, way, template, ...attempt }
}

async function store(tx: CommandTx, results: readonly Sent[]): Promise<number> {
  const rows = results.map(({ unsent, way, template, sent, vendorRef }) => ({
    id: unsent.id,
    customer_id: unsent.customer_id,
    way,
    template,
    state: sent ? 'sent' : 'failed',
    vendor_ref: vendorRef,
  }))
  await sql`
    with sent as (
      select m.id::bigint as id, m.customer_id, m.way, m.template, m.state, m.vendor_ref
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (id text, customer_id text, way text,
        template text, state text, vendor_ref text)
    ), stored as (
      insert into message_log (customer_id, way, template, state, vendor_ref, at)
        select m.customer_id, m.way, m.template, m.state, m.vendor_ref, clock_timestamp() from sent m
    )
    update feedback_step s set message_at = clock_timestamp(), message_tries = s.message_tries + 1,
      message = case when m.state = 'sent' then 'sent'
        when s.message_tries + 1 >= ${MOST_TRIES} then 'failed' else 'due' end
    from sent m where m.id = s.id and s.message = 'due'`.execute(tx.db)
  return results.filter(({ sent }) => sent).length
}
