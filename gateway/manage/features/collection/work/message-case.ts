/**
 * A message to the borrower of a case that is no call and no follow-up: a payment link. It stands under the contact rules. Sent
 * just after the sender's own contact it belongs to that one; otherwise it is a contact itself, and counted.
 */
import { sql } from 'kysely'
import { CASE_FOLLOWED } from '#shared/collection/collection-live.ts'
import { type ContactRefusal, contactGate } from '#shared/collection/contact-gate.ts'
import type { LinkWay } from '#shared/repayments/link-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { caseRooms, lockCases, type LockedCase } from '../case-store.ts'
import { lockWorkable } from './case-access.ts'
import { contactFacts, refusalOf } from './contact-facts.ts'
import { firstContactSec } from './first-contact.ts'

/** One message within so many minutes after the sender's own contact belongs to it. */
const SAME_TALK_MINUTES = 60

/** @returns the open case of the order, or null when it has none: nothing is collected then. @throws Problem as `callBorrower` */
export async function messageOfCase(cx: Cx, orderId: string, way: LinkWay): Promise<string | null> {
  const { rows } = await sql<{
    id: string
  }>`select c.id from collection_case c where c.order_id = ${orderId} and c.state <> 'closed'`.execute(
    cx.db,
  )
  const caseId = rows[0]?.id
  if (caseId === undefined) return null
  const { userId } = staff(cx.actor)
  const locked = await lockWorkable(cx, caseId)
  const belongs = await isInTalk(cx, caseId, userId)
  const refusal = await refusalNow(cx.db, caseId, belongs)
  if (refusal !== null) throw refusalOf(refusal)
  if (!belongs) {
    await sql`
      insert into call_log (kind, case_id, customer_id, user_id, contact_id, way, state, started_at, agency_id, department_id, group_id, stage_id, first_contact_sec)
      values ('case', ${caseId}, ${locked.customer_id}, ${userId}, ${locked.customer_id}, ${way}, 'sent', clock_timestamp(), ${locked.agency_id}, ${locked.department_id}, ${locked.group_id}, ${locked.stage_id}, ${firstContactSec(locked, userId)})`.execute(
      cx.db,
    )
  }
  await tell(cx, locked)
  return caseId
}

/** Whether a message that waits to be sent may still go out: hours, stops and the telling of the agent may have changed. */
export async function mayStillSend(db: Db, caseId: string): Promise<boolean> {
  return (await refusalNow(db, caseId, true)) === null
}

/** @param isCounted it is counted already, so the limits are not asked */
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

async function isInTalk(cx: Cx, caseId: string, userId: string): Promise<boolean> {
  const since = sql`clock_timestamp() - make_interval(mins => ${SAME_TALK_MINUTES})`
  const { rows } = await sql<{ found: boolean }>`
    select (exists (select 1 from call_log l where l.case_id = ${caseId} and l.user_id = ${userId} and l.started_at > ${since})
        or exists (select 1 from follow_up f where f.case_id = ${caseId} and f.operator_id = ${userId} and f.created_at > ${since}))
      and not exists (select 1 from payment_link x where x.case_id = ${caseId} and x.state <> 'failed' and x.created_at > ${since}) as found`.execute(
    cx.db,
  )
  return rows[0]?.found === true
}

/** What was sent on these cases, or could not be, has changed. */
export async function tellContacts(cx: Cx, caseIds: readonly string[]): Promise<void> {
  if (caseIds.length === 0) return
  for (const locked of await lockCases(cx, sql<boolean>`c.id = any(${[...caseIds]}::text[])`))
    await tell(cx, locked)
}

/** The case itself does not change, so the event carries no version. */
async function tell(cx: Cx, locked: LockedCase): Promise<void> {
  const { facts } = await contactFacts(cx.db, locked.id)
  cx.emit(CASE_FOLLOWED, {
    subject: `case:${locked.id}`,
    rooms: caseRooms(locked.id, locked),
    data: {
      caseId: locked.id,
      followId: null,
      contactResult: null,
      willingness: null,
      commitmentTime: null,
      nextFollowTime: null,
      lastFollowTime: locked.last_follow_at,
      followCount: locked.follow_count,
      attemptsToday: facts.attemptsToday,
      attemptsWeek: facts.attemptsWeek,
    },
  })
}
