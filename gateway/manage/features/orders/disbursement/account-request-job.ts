import { sql } from 'kysely'
import { type Attempt, messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { canSend } from '#gateway/manage/vendors/message-vendors.ts'
import { MENU } from './resend-payout.ts'

const NAME = 'accountAsk'
const TEMPLATE = 'newAccount'
const CHUNK = 50
/** Delay and number of retries for a message the vendor refused. */
const PAUSE_MINUTES = 10
const MOST_TRIES = 5

interface Recipient {
  id: string
  /** Increases with each request, so that each is a message of its own. */
  version: number
  order_id: string
  customer_id: string
  app_id: string
  phone_enc: Buffer
  language: string
}
interface SentRequest extends Pick<Recipient, 'id' | 'customer_id'>, Attempt {}

/** Requests another bank account from customers after a transfer failed. */
export function accountRequest(vendor: MessageVendor): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:60',
    menu: MENU,
    find: (context) => findRecipients(context, vendor),
    send: (context, recipient) => send(context, vendor, recipient),
    store,
  })
}

async function findRecipients(context: AppContext, vendor: MessageVendor): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select t.id, t.version, t.order_id, o.customer_id, o.app_id, u.phone_enc, u.language
    from payout_transfer t join loan_order o on o.id = t.order_id join customer u on u.id = o.customer_id
    where t.ask_state = 'due' and ${canSend(vendor, 'sms', sql`o.app_id`)} and (t.ask_at is null
      or t.ask_at < clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
    order by t.id limit ${CHUNK}`.execute(context.database.kysely)
  return rows
}

async function send(
  { secrets }: AppContext,
  vendor: MessageVendor,
  { id, version, order_id, customer_id, app_id: appId, phone_enc, language }: Recipient,
): Promise<SentRequest> {
  const attempt = await trySend(vendor, () => ({
    key: `account:${id}:${version}`,
    appId,
    way: 'sms',
    to: secrets.open('customer.phone_enc', customer_id, phone_enc),
    language,
    template: TEMPLATE,
    params: { order: order_id },
  }))
  return { id, customer_id, ...attempt }
}

async function store(tx: CommandTx, results: readonly SentRequest[]): Promise<number> {
  const rows = results.map(({ id, customer_id, sent, vendorRef }) => ({
    id,
    customer_id,
    state: sent ? 'sent' : 'failed',
    vendor_ref: vendorRef,
  }))
  await sql`
    with results as (
      select m.id, m.customer_id, m.state, m.vendor_ref
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (id text, customer_id text, state text,
        vendor_ref text)
    ), stored as (
      insert into message_log (customer_id, way, template, state, vendor_ref, at)
        select m.customer_id, 'sms', ${TEMPLATE}, m.state, m.vendor_ref, clock_timestamp() from results m
    )
    update payout_transfer t set ask_at = clock_timestamp(), ask_tries = t.ask_tries + 1,
      ask_state = case when m.state = 'sent' then 'sent' when t.ask_tries + 1 >= ${MOST_TRIES} then 'failed'
        else 'due' end
    from results m where m.id = t.id and t.ask_state = 'due'`.execute(tx.db)
  return results.filter(({ sent }) => sent).length
}
