import { sql } from 'kysely'
import { type Attempt, messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { MENU } from './resend-payout.ts'

const NAME = 'accountAsk'
const TEMPLATE = 'newAccount'
const CHUNK = 50
/** A message the vendor refused is tried again after this time, this often. */
const PAUSE_MINUTES = 10
const MOST_TRIES = 5

interface Unasked {
  id: string
  /** Grows when it is asked again: another message. */
  version: number
  order_id: string
  customer_id: string
  phone_enc: Buffer
  language: string
}
interface Asked extends Pick<Unasked, 'id' | 'customer_id'>, Attempt {}

/** Asks customers for another bank account after a transfer failed. */
export function accountAsk(vendor: MessageVendor): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:60',
    menu: MENU,
    find: findUnasked,
    send: (house, unasked) => ask(house, vendor, unasked),
    store,
    sentence: (told, failed) => `${told} customers asked, ${failed} not reached`,
  })
}

async function findUnasked(house: House): Promise<Unasked[]> {
  const { rows } = await sql<Unasked>`
    select t.id, t.version, t.order_id, o.customer_id, u.phone_enc, u.language
    from payout_transfer t join loan_order o on o.id = t.order_id join customer u on u.id = o.customer_id
    where t.ask_state = 'due' and (t.ask_at is null or t.ask_at < clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
    order by t.id limit ${CHUNK}`.execute(house.database.kysely)
  return rows
}

async function ask(
  { secrets }: House,
  vendor: MessageVendor,
  { id, version, order_id, customer_id, phone_enc, language }: Unasked,
): Promise<Asked> {
  const attempt = await trySend(vendor, () => ({
    key: `account:${id}:${version}`,
    way: 'sms',
    to: secrets.open('customer.phone_enc', customer_id, phone_enc),
    language,
    template: TEMPLATE,
    params: { order: order_id },
  }))
  return { id, customer_id, ...attempt }
}

async function store(cx: Cx, results: readonly Asked[]): Promise<number> {
  const rows = results.map(({ id, customer_id, sent, vendorRef }) => ({
    id,
    customer_id,
    state: sent ? 'sent' : 'failed',
    vendor_ref: vendorRef,
  }))
  await sql`
    with told as (
      select m.id, m.customer_id, m.state, m.vendor_ref from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (id text, customer_id text, state text, vendor_ref text)
    ), stored as (
      insert into message_log (customer_id, way, template, state, vendor_ref, at) select m.customer_id, 'sms', ${TEMPLATE}, m.state, m.vendor_ref, clock_timestamp() from told m
    )
    update payout_transfer t set ask_at = clock_timestamp(), ask_tries = t.ask_tries + 1,
      ask_state = case when m.state = 'sent' then 'sent' when t.ask_tries + 1 >= ${MOST_TRIES} then 'failed' else 'due' end
    from told m where m.id = t.id and t.ask_state = 'due'`.execute(cx.db)
  return results.filter(({ sent }) => sent).length
}
