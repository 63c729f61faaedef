import { sql } from 'kysely'
import type { LinkWay } from '#shared/repayments/link-sets.ts'
import { messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import type { PageVendors, PaymentPage } from '#gateway/manage/vendors/page-vendors.ts'
import type { Answered } from '#gateway/manage/vendors/routing/vendors-of-kind.ts'
import { canSend } from '#gateway/manage/vendors/message-vendors.ts'
import { mayStillSend, emitContacts } from '#gateway/manage/features/collection/public.ts'

const NAME = 'paymentLink'
const CHUNK = 50
/** Delay and number of retries of a message the vendor refused. */
const PAUSE_SECONDS = 30
const MOST_TRIES = 3
const STALE_MINUTES = 5

interface Unsent {
  id: string
  customer_id: string
  app_id: string
  case_id: string | null
  order_id: string
  amount: number
  way: LinkWay
  phone_enc: Buffer
  language: string
  expires: string
  stale: boolean
  page_url: string | null
}
interface Outcome {
  link: Unsent
  state: 'sent' | 'failed' | 'due'
  vendorRef: string | null
  /** The page that was made now. */
  page: Answered<PaymentPage> | null
}

/** Sends payment links. Stops trying when a link is too old or may not be sent any more. */
export function paymentLink(vendor: MessageVendor, pages: PageVendors | null): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:30',
    menu: 'repay_plan',
    find: (context) => findUnsent(context, vendor),
    send: (context, link) => send(context, { vendor, pages }, link),
    store,
  })
}

async function findUnsent(context: AppContext, vendor: MessageVendor): Promise<Unsent[]> {
  const { rows } = await sql<Unsent>`
    select x.id, x.customer_id, u.app_id, x.case_id, x.order_id, x.amount, x.way, u.phone_enc, u.language,
      ${isoTime('x.expires_at')} as expires, x.page_url,
      x.tries >= ${MOST_TRIES - 1}
        or x.created_at < clock_timestamp() - make_interval(mins => ${STALE_MINUTES}) as stale
    from payment_link x join customer u on u.id = x.customer_id
    where x.state = 'due' and ${canSend(vendor, sql`x.way`, sql`u.app_id`)} and (x.tried_at is null
      or x.tried_at < clock_timestamp() - make_interval(secs => ${PAUSE_SECONDS}))
    order by x.created_at, x.id limit ${CHUNK}`.execute(context.database.kysely)
  return rows
}

async function send(
  { database, secrets, log }: AppContext,
  { vendor, pages }: { vendor: MessageVendor; pages: PageVendors | null },
  link: Unsent,
): Promise<Outcome> {
  if (link.case_id !== null && !(await mayStillSend(database.kysely, link.case_id)))
    return { link, state: 'failed', vendorRef: null, page: null }
  const { id, customer_id, phone_enc, way, language, order_id, amount, expires } = link
  const again = link.stale ? 'failed' : 'due'
  let page: Outcome['page'] = null
  try {
    // a page that was made is kept, even when its message is not sent
    if (link.page_url === null && pages !== null)
      page = await pages.make(link.app_id, { linkId: id, orderId: order_id, amount, expires })
  } catch (error) {
    log.warn({ err: error, linkId: id }, 'no vendor made a payment page')
    return { link, state: again, vendorRef: null, page }
  }
  const url = page?.answer.url ?? link.page_url
  const { sent, vendorRef } = await trySend(vendor, () => ({
    key: `link:${id}`,
    appId: link.app_id,
    way,
    to: secrets.open('customer.phone_enc', customer_id, phone_enc),
    language,
    template: 'paymentLink',
    params: {
      link: id,
      order: order_id,
      amount: String(amount),
      until: expires,
      ...(url !== null && { url }),
    },
  }))
  return { link, state: sent ? 'sent' : again, vendorRef, page }
}

async function store(tx: CommandTx, outcomes: readonly Outcome[]): Promise<number> {
  const rows = outcomes.map(({ link, state, vendorRef, page }) => ({
    id: link.id,
    customer_id: link.customer_id,
    case_id: link.case_id,
    way: link.way,
    state,
    vendor_ref: vendorRef,
    page_url: page?.answer.url ?? null,
    cfg: page?.cfgId ?? null,
  }))
  await sql`
    with told as (
      select m.id, m.customer_id, m.case_id, m.way, m.state, m.vendor_ref,
        m.page_url, m.cfg
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (id text, customer_id text, case_id text,
        way text, state text, vendor_ref text, page_url text, cfg text)
    ), stored as (
      insert into message_log (customer_id, way, template, state, vendor_ref, at)
      select m.customer_id, m.way, 'paymentLink', case when m.state = 'sent' then 'sent'
        else 'failed' end, m.vendor_ref, clock_timestamp() from told m
    )
    update payment_link x set state = m.state, tries = x.tries + 1, tried_at = clock_timestamp(),
      page_url = coalesce(m.page_url, x.page_url), tp_cfg_id = coalesce(m.cfg, x.tp_cfg_id)
    from told m where m.id = x.id and x.state = 'due'`.execute(tx.db)
  await emitContacts(
    tx,
    outcomes.flatMap(({ link, state }) =>
      link.case_id === null || state === 'due' ? [] : [link.case_id],
    ),
  )
  return outcomes.filter(({ state }) => state === 'sent').length
}
