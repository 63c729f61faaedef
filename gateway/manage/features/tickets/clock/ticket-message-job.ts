/**
 * Tells customers what was answered: each public reply and each resolution goes out once by the way the customer chose. The
 * vendor is asked outside any transaction; a crash between sending and storing sends the same key again.
 */
import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
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
interface Told {
  untold: Untold
  way: 'sms' | 'email'
  sent: boolean
  vendorRef: string | null
}

export function ticketMessage(vendor: MessageVendor): ScheduledClass {
  return {
    name: NAME,
    cycle: 'every:60',
    async run(house) {
      let sent = 0
      let failed = 0
      for (;;) {
        const untold = await findUntold(house)
        if (untold.length === 0) break
        const results: Told[] = []
        for (const one of untold) results.push(await tell(house, vendor, one))
        await runCommand(house, { actor: systemActor(NAME), audit: { menu: MENU, action: NAME } }, (cx) => store(cx, results))
        sent += results.filter((result) => result.sent).length
        failed += results.filter((result) => !result.sent).length
      }
      return sent + failed === 0 ? '' : `${sent} customers told, ${failed} not reached`
    },
  }
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
  const way = untold.contact_way === 'email' && untold.email_enc !== null ? 'email' : 'sms'
  const to = way === 'email' ? secrets.open('customer.email_enc', untold.customer_id, untold.email_enc as Buffer) : secrets.open('customer.phone_enc', untold.customer_id, untold.phone_enc)
  const template = untold.kind === 'resolved' ? 'ticketEnded' : 'ticketAnswered'
  // the reason of a refusal is the vendor's and may hold the number, so only that it failed is kept
  const result = await vendor.send({ key: `ticket:${untold.id}:${way}`, way, to, language: untold.language, template, params: { ticket: untold.feedback_id, text: untold.content } }).catch(() => ({ accepted: false as const }))
  return { untold, way, sent: result.accepted, vendorRef: result.accepted ? result.vendorRef : null }
}

async function store(cx: Cx, results: readonly Told[]): Promise<void> {
  const rows = results.map(({ untold, way, sent, vendorRef }) => ({ id: untold.id, customer_id: untold.customer_id, way, template: untold.kind === 'resolved' ? 'ticketEnded' : 'ticketAnswered', state: sent ? 'sent' : 'failed', vendor_ref: vendorRef }))
  await sql`
    with told as (
      select m.id::bigint as id, m.customer_id, m.way, m.template, m.state, m.vendor_ref from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (id text, customer_id text, way text, template text, state text, vendor_ref text)
    ), stored as (
      insert into message_log (customer_id, way, template, state, vendor_ref, at) select m.customer_id, m.way, m.template, m.state, m.vendor_ref, clock_timestamp() from told m
    )
    update feedback_step s set message_at = clock_timestamp(), message_tries = s.message_tries + 1,
      message = case when m.state = 'sent' then 'sent' when s.message_tries + 1 >= ${MOST_TRIES} then 'failed' else 'due' end
    from told m where m.id = s.id and s.message = 'due'`.execute(cx.db)
}
