import { sql } from 'kysely'
import { type Attempt, messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { canSend } from '#gateway/manage/vendors/message-vendors.ts'

const NAME = 'erasureNotice'
const CHUNK = 50
const PAUSE_MINUTES = 60
/** A number that is not in use any more keeps nothing for ever. */
const MOST_TRIES = 3
/** DPDP Rules 2025, rule 8 (2). */
const NOTICE_HOURS = 48

interface Recipient {
  id: string
  app_id: string
  phone_enc: Buffer
  language: string
  tries: number
}
interface SentNotice extends Attempt {
  id: string
  isLast: boolean
}

/** Notifies customers that their data will be erased, and that a new application keeps it. */
export function erasureNotice(vendor: MessageVendor): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:600',
    menu: 'customer_list',
    find: (context) => findRecipients(context, vendor),
    send: (context, recipient) => send(context, vendor, recipient),
    store,
  })
}

async function findRecipients(
  { database }: AppContext,
  vendor: MessageVendor,
): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select e.customer_id as id, c.app_id, c.phone_enc, c.language, e.tries
    from customer_erasure e join customer c on c.id = e.customer_id
    where e.state = 'due' and ${canSend(vendor, 'sms', sql`c.app_id`)} and (e.tried_at is null
      or e.tried_at < clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
    order by e.created_at, e.customer_id limit ${CHUNK}`.execute(database.kysely)
  return rows
}

async function send(
  { secrets }: AppContext,
  vendor: MessageVendor,
  { id, app_id: appId, phone_enc, language, tries }: Recipient,
): Promise<SentNotice> {
  const attempt = await trySend(vendor, () => ({
    key: `erasure:${id}:${tries}`,
    appId,
    way: 'sms',
    to: secrets.open('customer.phone_enc', id, phone_enc),
    language,
    template: 'erasureNotice',
    params: { hours: String(NOTICE_HOURS) },
  }))
  return { id, isLast: tries + 1 >= MOST_TRIES, ...attempt }
}

async function store(tx: CommandTx, notices: readonly SentNotice[]): Promise<number> {
  await sql`
    with told as (
      select m.id, m.sent, m."isLast" as is_last, m."vendorRef" as vendor_ref
      from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) as m (id text, sent boolean,
        "isLast" boolean, "vendorRef" text)
    ), stored as (
      insert into message_log (customer_id, way, template, state, vendor_ref, at)
      select m.id, 'sms', 'erasureNotice', case when m.sent then 'sent' else 'failed' end,
        m.vendor_ref, clock_timestamp() from told m
    )
    update customer_erasure e set tries = e.tries + 1, tried_at = clock_timestamp(),
      state = case when m.sent or m.is_last then 'told' else 'due' end,
      erase_after = case when m.sent or m.is_last
        then clock_timestamp() + make_interval(hours => ${NOTICE_HOURS}) end
    from told m where m.id = e.customer_id and e.state = 'due'`.execute(tx.db)
  return notices.filter(({ sent }) => sent).length
}
