import { sql } from 'kysely'
import { CASE_INTIMATED } from '#shared/collection/collection-live.ts'
import { type Attempt, messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { canSend } from '#gateway/manage/vendors/message-vendors.ts'
import { caseRooms, lockCases, moveCase } from '../case-store.ts'

const NAME = 'intimate'
/** Cases read in one batch. */
const BATCH = 1_000
/** Retry interval of a message the vendor refused. */
const PAUSE_MINUTES = 10

interface Recipient {
  id: string
  token: number
  customer_id: string
  app_id: string
  phone_enc: Buffer
  email_enc: Buffer | null
  language: string
  agent: string
  agency: string
}
interface Intimation {
  recipient: Recipient
  messages: (Attempt & { way: 'sms' | 'email' })[]
}

/**
 * Informs borrowers of the outside agent who got their case, by SMS and, with an address, by
 * e-mail. RBI circular of 12 Aug 2022: the agent may contact the borrower only after that.
 */
export function intimate(vendor: MessageVendor): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:60',
    menu: 'pedding_list',
    find: (context) => findRecipients(context, vendor),
    send: (context, recipient) => informBorrower(context, vendor, recipient),
    store,
  })
}

async function findRecipients(context: AppContext, vendor: MessageVendor): Promise<Recipient[]> {
  // by agency, so that an index gives the oldest and a batch never reads all that wait
  const { rows } = await sql<Recipient>`
    select c.id, c.token, c.customer_id, c.app_id, c.phone_enc, c.email_enc, c.language,
      k.user_name as agent,
      a.name as agency
    from agency a
    cross join lateral (
      select c.id, c.token, c.customer_id, c.collector_id, c.allocated_at, u.app_id, u.phone_enc,
        u.email_enc, u.language
      from collection_case c
      join customer u on u.id = c.customer_id
      where c.agency_id = a.id and c.intimated_at is null and c.state in ('allocated', 'promised')
        and ${canSend(vendor, 'sms', sql`u.app_id`)}
        and not exists (select 1 from message_log m where m.case_id = c.id and m.state = 'failed'
          and m.at > clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
      order by c.allocated_at, c.id limit ${BATCH}
    ) c
    join sys_user k on k.id = c.collector_id
    where not a.in_house
    order by c.allocated_at, c.id limit ${BATCH}`.execute(context.database.kysely)
  return rows
}

async function informBorrower(
  context: AppContext,
  vendor: MessageVendor,
  recipient: Recipient,
): Promise<Intimation> {
  const ways: { way: 'sms' | 'email'; to: () => string }[] = [
    {
      way: 'sms',
      to: () =>
        context.secrets.open('customer.phone_enc', recipient.customer_id, recipient.phone_enc),
    },
  ]
  const { email_enc: email } = recipient
  if (email !== null)
    ways.push({
      way: 'email',
      to: () => context.secrets.open('customer.email_enc', recipient.customer_id, email),
    })
  const messages: Intimation['messages'] = []
  for (const { way, to } of ways) {
    const attempt = await trySend(vendor, () => ({
      key: `${recipient.id}:${recipient.token}:${way}`,
      appId: recipient.app_id,
      way,
      to: to(),
      language: recipient.language,
      template: 'agentNamed',
      params: { agency: recipient.agency, agent: recipient.agent },
    }))
    messages.push({ way, ...attempt })
  }
  return { recipient, messages }
}

/**
 * One delivered channel is enough. A case that changed hands meanwhile is sent again for its new
 * agent.
 * @returns number of cases whose borrower was informed
 */
async function store(tx: CommandTx, results: readonly Intimation[]): Promise<number> {
  const rows = results.flatMap(({ recipient, messages }) =>
    messages.map(({ way, sent, vendorRef }) => ({
      customer_id: recipient.customer_id,
      case_id: recipient.id,
      way,
      state: sent ? 'sent' : 'failed',
      vendor_ref: vendorRef,
    })),
  )
  await sql`
    insert into message_log (customer_id, way, template, case_id, state, vendor_ref, at)
    select m.customer_id, m.way, 'agentNamed', m.case_id, m.state, m.vendor_ref, clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (customer_id text, case_id text, way text,
      state text, vendor_ref text)`.execute(tx.db)
  const tokens = new Map(
    results
      .filter(({ messages }) => messages.some(({ sent }) => sent))
      .map(({ recipient }) => [recipient.id, recipient.token]),
  )
  let informed = 0
  for (const locked of await lockCases(
    tx,
    sql<boolean>`
      c.id = any(${[...tokens.keys()]}::text[]) and c.state in ('allocated', 'promised')
        and c.intimated_at is null`,
  )) {
    if (locked.token !== tokens.get(locked.id)) continue
    const moved = await moveCase(tx, locked, {
      to: locked.state,
      set: [sql`intimated_at = clock_timestamp()`],
    })
    tx.emit(CASE_INTIMATED, {
      subject: `case:${moved.id}`,
      version: moved.version,
      rooms: caseRooms(moved.id, moved),
      data: { caseId: moved.id, intimatedAt: moved.intimated_at ?? '' },
    })
    informed += 1
  }
  return informed
}
