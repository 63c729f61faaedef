/**
 * Sends the messages of nodes, within the hours of promotion. What forbids a call for good forbids
 * a message, too, and is looked at again here, because hours may be between the run and now.
 */
import { sql } from 'kysely'
import { promotionWindow } from '#shared/telemarketing/promotion-gate.ts'
import { isInsideIstWindow } from '#shared/kernel/time.ts'
import { type Attempt, messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { parameterValue } from '#gateway/manage/kernel/parameters.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { canSend } from '#gateway/manage/vendors/message-vendors.ts'

const NAME = 'nodeMessages'
const CHUNK = 200
const PAUSE_MINUTES = 10
const MOST_TRIES = 5

interface Due {
  id: string
  customer_id: string
  app_id: string
  node_id: string
  segment: string
  way: 'sms' | 'whatsapp'
  language: string
  phone_enc: Buffer
  /** Blacklisted, opted out of promotion, or with an open grievance. */
  is_refused: boolean
}
interface Sent extends Pick<Due, 'id' | 'is_refused'>, Attempt {}

export function nodeMessages(vendor: MessageVendor): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:60',
    menu: 'marketing_stage',
    find: (context) => findDue(context, vendor),
    send: (context, due) => send(context, vendor, due),
    store,
  })
}

async function findDue(context: AppContext, vendor: MessageVendor): Promise<Due[]> {
  const { kysely } = context.database
  const { rows: hours } = await sql<{ now: string; callFrom: string; callTo: string }>`
    select clock_timestamp() as now, ${parameterValue('marketing.callFrom')} as "callFrom",
      ${parameterValue('marketing.callTo')} as "callTo"`.execute(kysely)
  const [{ now, ...parameters }] = hours as [(typeof hours)[0]]
  const { from, to } = promotionWindow(parameters)
  if (!isInsideIstWindow(now, from, to)) return []
  const { rows } = await sql<Due>`
    select m.id::text as id, m.customer_id, c.app_id, m.node_id, m.segment, m.message_way as way, c.language,
      c.phone_enc, c.dnd or c.blacklisted or exists (select 1 from stop_collection x
        where x.customer_id = c.id and x.state = 'active') as is_refused
    from marketing_contact m join customer c on c.id = m.customer_id
    where m.message_state = 'due' and ${canSend(vendor, sql`m.message_way`, sql`c.app_id`)}
      and (m.message_tries = 0
      or m.message_at < clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
    order by m.message_at, m.id limit ${CHUNK}`.execute(kysely)
  return rows
}

async function send({ secrets }: AppContext, vendor: MessageVendor, due: Due): Promise<Sent> {
  const { id, is_refused, customer_id, app_id: appId, phone_enc, way, language, segment } = due
  if (is_refused) return { id, is_refused, sent: false, vendorRef: null }
  const attempt = await trySend(vendor, () => ({
    key: `node:${id}`,
    appId,
    way,
    to: secrets.open('customer.phone_enc', customer_id, phone_enc),
    language,
    template: 'promotion',
    params: { segment },
  }))
  return { id, is_refused, ...attempt }
}

async function store(tx: CommandTx, results: readonly Sent[]): Promise<number> {
  const rows = results.map(({ id, is_refused: isRefused, sent, vendorRef }) => ({
    id,
    state: isRefused ? 'refused' : sent ? 'sent' : 'failed',
    vendor_ref: vendorRef,
  }))
  await sql`
    with results as (
      select r.id, r.state, r.vendor_ref
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id bigint, state text, vendor_ref text)
    ), kept as (
      update marketing_contact m set message_at = clock_timestamp(), message_tries = m.message_tries + 1,
        message_state = case when r.state <> 'failed' then r.state
          when m.message_tries + 1 >= ${MOST_TRIES} then 'failed' else 'due' end
      from results r where r.id = m.id and m.message_state = 'due'
      returning m.customer_id, m.node_id, m.message_way, r.state, r.vendor_ref
    )
    insert into message_log (customer_id, way, template, state, vendor_ref, node_id, at)
    select k.customer_id, k.message_way, 'promotion', k.state, k.vendor_ref, k.node_id, clock_timestamp()
    from kept k where k.state <> 'refused'`.execute(tx.db)
  return results.filter(({ sent }) => sent).length
}
