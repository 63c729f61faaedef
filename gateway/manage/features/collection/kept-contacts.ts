/** Calls and messages: how long they are kept, and what they know of customers. */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  ERASED,
  eraseRows,
  type PersonalData,
  withFiles,
} from '#gateway/manage/kernel/personal-data.ts'
import type { Retained } from '#gateway/manage/kernel/retained.ts'

/** DPDP Rules 2025, rule 8: what was done with personal data is kept for one year at least. */
const LEAST_DAYS = 365

/** Of a case that is worked on nothing goes: the RBI asks for the number and times of its calls. */
const isOfNoOpenCase = sql`not exists (
  select from collection_case k where k.id = r.case_id and k.state <> 'closed')`

export const KEPT_CONTACTS: readonly Retained[] = [
  {
    name: 'calls',
    table: 'call_log',
    term: 'retention.callDays',
    atLeast: LEAST_DAYS,
    isOver: (before) => sql`r.started_at < ${before} and ${isOfNoOpenCase}`,
  },
  {
    name: 'messages',
    table: 'message_log',
    byMonth: true,
    term: 'retention.messageDays',
    atLeast: LEAST_DAYS,
    isOver: (before) => sql`r.at < ${before} and ${isOfNoOpenCase}`,
  },
]

/** A stop of the kind `legal` is the hold of a court or an authority, without an end if need be. */
export const contactData: PersonalData = {
  name: 'collection',
  isHeld: sql`(
    exists (select from collection_case k where k.customer_id = c.id and k.state <> 'closed')
    or exists (select from stop_collection s where s.customer_id = c.id
      and s.state in ('pending', 'active')))`,
  lastAt: sql`(select max(l.started_at) from call_log l where l.customer_id = c.id)`,
  erase,
}

function erase(tx: CommandTx, id: string): Promise<Record<string, number>> {
  const cases = sql`select k.id from collection_case k where k.customer_id = ${id}`
  const stops = sql`select s.id from stop_collection s where s.customer_id = ${id}`
  return eraseRows(tx, {
    stop_file: withFiles('stop_file', sql<boolean>`x.stop_id in (${stops})`),
    stop_collection: sql`
      update stop_collection set remark = ${ERASED},
        decide_remark = case when decide_remark is null then null else ${ERASED} end
      where customer_id = ${id}`,
    follow_up: sql`
      update follow_up set remark = ${ERASED}, contact_last4 = null where customer_id = ${id}`,
    case_note: sql`update case_note set remark = ${ERASED} where case_id in (${cases})`,
    case_allocation: sql`
      update case_allocation set reason = ${ERASED}
      where reason is not null and case_id in (${cases})`,
    call_log: sql`
      update call_log set recording_ref = null
      where recording_ref is not null and customer_id = ${id}`,
    message_log: sql`
      update message_log set sent_to = null where sent_to is not null and customer_id = ${id}`,
  })
}
