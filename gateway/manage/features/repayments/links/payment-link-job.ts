/**
 * Sends payment links. The vendor is asked outside any transaction; a crash between sending and storing sends the same key again.
 * What could not be sent soon, or may not be any more, is given up.
 */
import { sql } from 'kysely'
import type { LinkWay } from '#shared/repayments/link-sets.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { mayStillSend, tellContacts } from '#gateway/manage/features/collection/public.ts'

const NAME = 'paymentLink'
const CHUNK = 50
/** A message the vendor refused is tried again after this time, this often. */
const PAUSE_SECONDS = 30
const MOST_TRIES = 3
const STALE_MINUTES = 5

interface Unsent {
  id: string
  customer_id: string
  case_id: string | null
  order_id: string
  amount: number
  way: LinkWay
  phone_enc: Buffer
  language: string
  expires: string
  stale: boolean
}
interface Outcome {
  link: Unsent
  state: 'sent' | 'failed' | 'due'
  vendorRef: string | null
}

export function paymentLink(vendor: MessageVendor): ScheduledClass {
  return {
    name: NAME,
    cycle: 'every:30',
    async run(house) {
      let sent = 0
      let failed = 0
      for (;;) {
        const unsent = await findUnsent(house)
        if (unsent.length === 0) break
        const outcomes: Outcome[] = []
        for (const link of unsent) outcomes.push(await send(house, vendor, link))
        await runCommand(house, { actor: systemActor(NAME), audit: { menu: 'repay_plan', action: NAME } }, (cx) => store(cx, outcomes))
        sent += outcomes.filter(({ state }) => state === 'sent').length
        failed += outcomes.filter(({ state }) => state !== 'sent').length
      }
      return sent + failed === 0 ? '' : `${sent} payment links sent, ${failed} not`
    },
  }
}

async function findUnsent(house: House): Promise<Unsent[]> {
  const { rows } = await sql<Unsent>`
    select x.id, x.customer_id, x.case_id, x.order_id, x.amount, x.way, u.phone_enc, u.language, ${isoTime('x.expires_at')} as expires,
      x.tries >= ${MOST_TRIES - 1} or x.created_at < clock_timestamp() - make_interval(mins => ${STALE_MINUTES}) as stale
    from payment_link x join customer u on u.id = x.customer_id
    where x.state = 'due' and (x.tried_at is null or x.tried_at < clock_timestamp() - make_interval(secs => ${PAUSE_SECONDS}))
    order by x.created_at, x.id limit ${CHUNK}`.execute(house.database.kysely)
  return rows
}

async function send({ database, secrets }: House, vendor: MessageVendor, link: Unsent): Promise<Outcome> {
  if (link.case_id !== null && !(await mayStillSend(database.kysely, link.case_id))) return { link, state: 'failed', vendorRef: null }
  const { id, customer_id, phone_enc, way, language, order_id, amount, expires } = link
  // the reason of a refusal is the vendor's and may hold the number, so only that it failed is kept
  const result = await Promise.resolve()
    .then(() => vendor.send({ key: `link:${id}`, way, to: secrets.open('customer.phone_enc', customer_id, phone_enc), language, template: 'paymentLink', params: { link: id, order: order_id, amount: String(amount), until: expires } }))
    .catch(() => ({ accepted: false as const }))
  return { link, state: result.accepted ? 'sent' : link.stale ? 'failed' : 'due', vendorRef: result.accepted ? result.vendorRef : null }
}

async function store(cx: Cx, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ link, state, vendorRef }) => ({ id: link.id, customer_id: link.customer_id, case_id: link.case_id, way: link.way, state, vendor_ref: vendorRef }))
  await sql`
    with told as (
      select m.id, m.customer_id, m.case_id, m.way, m.state, m.vendor_ref
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (id text, customer_id text, case_id text, way text, state text, vendor_ref text)
    ), stored as (
      insert into message_log (customer_id, way, template, state, vendor_ref, at)
      select m.customer_id, m.way, 'paymentLink', case when m.state = 'sent' then 'sent' else 'failed' end, m.vendor_ref, clock_timestamp() from told m
    )
    update payment_link x set state = m.state, tries = x.tries + 1, tried_at = clock_timestamp()
    from told m where m.id = x.id and x.state = 'due'`.execute(cx.db)
  await tellContacts(cx, outcomes.flatMap(({ link, state }) => (link.case_id === null || state === 'due' ? [] : [link.case_id])))
}
