import { sql } from 'kysely'
import { CASE_INTIMATED } from '#shared/collection/collection-live.ts'
import { type Attempt, messageClass, trySend } from '#gateway/manage/jobs/message-class.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { caseRooms, lockCases, moveCase } from '../case-store.ts'

const NAME = 'intimate'
/** Looked up together. */
const FOUND = 1_000
/** A message the vendor refused is tried again after this time. */
const PAUSE_MINUTES = 10

interface Untold {
  id: string
  token: number
  customer_id: string
  phone_enc: Buffer
  email_enc: Buffer | null
  language: string
  agent: string
  agency: string
}
interface Told {
  untold: Untold
  messages: (Attempt & { way: 'sms' | 'email' })[]
}

/**
 * Names the new agent to borrowers whose case went to an outside agency, by SMS and, where there is an address, by e-mail; only
 * then may he contact them (domain.md 1, rule 7).
 */
export function intimate(vendor: MessageVendor): ScheduledClass {
  return messageClass({
    name: NAME,
    cycle: 'every:60',
    menu: 'pedding_list',
    find: findUntold,
    send: (house, untold) => tell(house, vendor, untold),
    store,
    sentence: (told, failed) => `${told} borrowers told, ${failed} not reached`,
  })
}

async function findUntold(house: House): Promise<Untold[]> {
  const { rows } = await sql<Untold>`
    select c.id, c.token, c.customer_id, u.phone_enc, u.email_enc, u.language, k.user_name as agent, a.name as agency
    from collection_case c
    join agency a on a.id = c.agency_id and not a.in_house
    join customer u on u.id = c.customer_id
    join sys_user k on k.id = c.collector_id
    where c.intimated_at is null and c.state in ('allocated', 'promised')
      and not exists (select 1 from message_log m where m.case_id = c.id and m.state = 'failed' and m.at > clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}))
    order by c.allocated_at, c.id limit ${FOUND}`.execute(house.database.kysely)
  return rows
}

async function tell(house: House, vendor: MessageVendor, untold: Untold): Promise<Told> {
  const ways: { way: 'sms' | 'email'; to: () => string }[] = [
    {
      way: 'sms',
      to: () => house.secrets.open('customer.phone_enc', untold.customer_id, untold.phone_enc),
    },
  ]
  const { email_enc: email } = untold
  if (email !== null)
    ways.push({
      way: 'email',
      to: () => house.secrets.open('customer.email_enc', untold.customer_id, email),
    })
  const messages: Told['messages'] = []
  for (const { way, to } of ways) {
    const attempt = await trySend(vendor, () => ({
      key: `${untold.id}:${untold.token}:${way}`,
      way,
      to: to(),
      language: untold.language,
      template: 'agentNamed',
      params: { agency: untold.agency, agent: untold.agent },
    }))
    messages.push({ way, ...attempt })
  }
  return { untold, messages }
}

/** One way is enough to have been told. A case that changed hands meanwhile is told again for its new agent. @returns cases told */
async function store(cx: Cx, results: readonly Told[]): Promise<number> {
  const rows = results.flatMap(({ untold, messages }) =>
    messages.map(({ way, sent, vendorRef }) => ({
      customer_id: untold.customer_id,
      case_id: untold.id,
      way,
      state: sent ? 'sent' : 'failed',
      vendor_ref: vendorRef,
    })),
  )
  await sql`
    insert into message_log (customer_id, way, template, case_id, state, vendor_ref, at)
    select m.customer_id, m.way, 'agentNamed', m.case_id, m.state, m.vendor_ref, clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m (customer_id text, case_id text, way text, state text, vendor_ref text)`.execute(
    cx.db,
  )
  const tokens = new Map(
    results
      .filter(({ messages }) => messages.some(({ sent }) => sent))
      .map(({ untold }) => [untold.id, untold.token]),
  )
  let told = 0
  for (const locked of await lockCases(
    cx,
    sql<boolean>`c.id = any(${[...tokens.keys()]}::text[]) and c.state in ('allocated', 'promised') and c.intimated_at is null`,
  )) {
    if (locked.token !== tokens.get(locked.id)) continue
    const moved = await moveCase(cx, locked, {
      to: locked.state,
      set: [sql`intimated_at = clock_timestamp()`],
    })
    cx.emit(CASE_INTIMATED, {
      subject: `case:${moved.id}`,
      version: moved.version,
      rooms: caseRooms(moved.id, moved),
      data: { caseId: moved.id, intimatedAt: moved.intimated_at ?? '' },
    })
    told += 1
  }
  return told
}
