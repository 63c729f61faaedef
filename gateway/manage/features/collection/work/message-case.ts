/**
 * A message to the borrower that is neither a call nor a follow-up: a payment link. The contact
 * rules apply. Shortly after the sender's own contact it belongs to that one; otherwise it is a
 * contact itself and counts.
 */
import { sql } from 'kysely'
import { type ContactRefusal, contactGate } from '#shared/collection/contact-gate.ts'
import type { LinkWay } from '#shared/repayments/link-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { endTasksOfBorrower } from '#gateway/manage/features/ai-calls/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockCases } from '../case-store.ts'
import { lockForContact } from './case-access.ts'
import { contactFacts, refusalOf } from './contact-facts.ts'
import { emitContact } from './emit-contact.ts'
import { firstContactSec } from './first-contact.ts'

/** Minutes after the sender's own contact within which a message belongs to it. */
const SAME_TALK_MINUTES = 60

/**
 * @returns the open case of the order, or null without one: then no contact rule applies.
 * @throws Problem as `callBorrower`
 */
export async function messageOfCase(
  tx: CommandTx,
  orderId: string,
  way: LinkWay,
): Promise<string | null> {
  const { rows } = await sql<{
    id: string
  }>`select c.id from collection_case c where c.order_id = ${orderId} and c.state <> 'closed'`.execute(
    tx.db,
  )
  const caseId = rows[0]?.id
  if (caseId === undefined) return null
  const { userId } = staff(tx.actor)
  const locked = await lockForContact(tx, caseId)
  const belongs = await isInTalk(tx, caseId, userId)
  const refusal = await refusalNow(tx.db, caseId, belongs)
  if (refusal !== null) throw refusalOf(refusal)
  if (!belongs) {
    await sql`
      insert into call_log (kind, case_id, customer_id, user_id, contact_id, way, state, started_at,
        agency_id, department_id, group_id, stage_id, first_contact_sec)
      values ('case', ${caseId}, ${locked.customer_id}, ${userId}, ${locked.customer_id}, ${way}, 'sent',
        clock_timestamp(), ${locked.agency_id}, ${locked.department_id}, ${locked.group_id},
        ${locked.stage_id}, ${firstContactSec(locked, userId)})`.execute(tx.db)
    await endTasksOfBorrower(tx, locked.customer_id)
  }
  emitContact(tx, locked, (await contactFacts(tx.db, caseId)).facts)
  return caseId
}

/** Whether a queued message may still be sent: hours, stops or the intimation may have changed. */
export async function mayStillSend(db: Db, caseId: string): Promise<boolean> {
  return (await refusalNow(db, caseId, true)) === null
}

/** @param isCounted it is counted already, so the limits do not apply */
async function refusalNow(
  db: Db,
  caseId: string,
  isCounted: boolean,
): Promise<ContactRefusal | null> {
  const { now, facts } = await contactFacts(db, caseId)
  return contactGate(
    isCounted ? { ...facts, attemptsToday: 0, attemptsWeek: 0, lastAttemptTime: null } : facts,
    { now, isBorrower: true },
  )
}

async function isInTalk(tx: CommandTx, caseId: string, userId: string): Promise<boolean> {
  const since = sql`clock_timestamp() - make_interval(mins => ${SAME_TALK_MINUTES})`
  const { rows } = await sql<{ found: boolean }>`
    select (exists (select 1 from call_log l where l.case_id = ${caseId} and l.user_id = ${userId}
      and l.started_at > ${since})
        or exists (select 1 from follow_up f where f.case_id = ${caseId} and f.operator_id = ${userId}
          and f.created_at > ${since}))
      and not exists (select 1 from payment_link x where x.case_id = ${caseId} and x.state <> 'failed'
        and x.created_at > ${since}) as found`.execute(tx.db)
  return rows[0]?.found === true
}

/** Emits that a message on these cases was sent or failed. */
export async function emitContacts(tx: CommandTx, caseIds: readonly string[]): Promise<void> {
  if (caseIds.length === 0) return
  for (const locked of await lockCases(tx, sql<boolean>`c.id = any(${[...caseIds]}::text[])`))
    emitContact(tx, locked, (await contactFacts(tx.db, locked.id)).facts)
}
