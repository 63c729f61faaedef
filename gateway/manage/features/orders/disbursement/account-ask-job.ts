/**
 * Asks customers for another bank account after a transfer failed. The vendor is asked outside any transaction; a crash between
 * sending and storing sends the same key again.
 */
import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
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
interface Asked extends Pick<Unasked, 'id' | 'customer_id'> {
  sent: boolean
  vendorRef: string | null
}

export function accountAsk(vendor: MessageVendor): ScheduledClass {
  return {
    name: NAME,
    cycle: 'every:60',
    async run(house) {
      let sent = 0
      let failed = 0
      for (;;) {
        const unasked = await findUnasked(house)
        if (unasked.length === 0) break
        const results: Asked[] = []
        for (const one of unasked) results.push(await ask(house, vendor, one))
        await runCommand(house, { actor: systemActor(NAME), audit: { menu: MENU, action: NAME } }, (cx) => store(cx, results))
        sent += results.filter((result) => result.sent).length
        failed += results.filter((result) => !result.sent).length
      }
      return sent + failed === 0 ? '' : `${sent} customers asked, ${failed} not reached`
    },
  }
}

async function findUnasked(house: House): Promise<Unasked[]> {
  const { rows } = await sql<Unasked>`
    select t.id, t.version, t.order_id, o.customer_id, u.phone_enc, u.language
    from payout_transfer t join loan_order o on o.id = t.order_id join customer u on u.id = o.customer_id
    where t.ask_state = 'due' and (t.ask_at is null or t.ask_at < clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
    order by t.id limit ${CHUNK}`.execute(house.database.kysely)
  return rows
}

async function ask({ secrets }: House, vendor: MessageVendor, { id, version, order_id, customer_id, phone_enc, language }: Unasked): Promise<Asked> {
  const to = secrets.open('customer.phone_enc', customer_id, phone_enc)
  // the reason of a refusal is the vendor's and may hold the number, so only that it failed is kept
  const result = await vendor.send({ key: `account:${id}:${version}`, way: 'sms', to, language, template: TEMPLATE, params: { order: order_id } }).catch(() => ({ accepted: false as const }))
  return { id, customer_id, sent: result.accepted, vendorRef: result.accepted ? result.vendorRef : null }
}

async function store(cx: Cx, results: readonly Asked[]): Promise<void> {
  const rows = results.map(({ id, customer_id, sent, vendorRef }) => ({ id, customer_id, state: sent ? 'sent' : 'failed', vendor_ref: vendorRef }))
  await sql`
    with told as (
      select m.id, m.customer_id, m.state, m.vendor_ref from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (id text, customer_id text, state text, vendor_ref text)
    ), stored as (
      insert into message_log (customer_id, way, template, state, vendor_ref, at) select m.customer_id, 'sms', ${TEMPLATE}, m.state, m.vendor_ref, clock_timestamp() from told m
    )
    update payout_transfer t set ask_at = clock_timestamp(), ask_tries = t.ask_tries + 1,
      ask_state = case when m.state = 'sent' then 'sent' when t.ask_tries + 1 >= ${MOST_TRIES} then 'failed' else 'due' end
    from told m where m.id = t.id and t.ask_state = 'due'`.execute(cx.db)
}
