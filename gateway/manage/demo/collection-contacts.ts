/** Contacts of collectors with the borrowers of the demo's cases. */
import { sql } from 'kysely'
import { isReached } from '#shared/collection/collection-sets.ts'
import { addDays, daysBetween, istDay, istMidnight } from '#shared/kernel/time.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { bulkInsert, type Row } from './bulk-insert.ts'
import { CALL_LOG_COLUMNS, FOLLOW_UP_COLUMNS } from './case-columns.ts'
import type { DemoCollector } from './collection-staff.ts'
import { HOUR, MINUTE, SECOND } from './life.ts'
import type { Rng } from './random.ts'
import { FIRST_NUMBER } from './tables.ts'

const REMARKS: Record<number, readonly string[]> = {
  1: [
    'Salary delayed, asks for two more days',
    'Will pay by UPI this evening',
    'Says the amount is too high, explained the charges',
    'Busy at work, call again after lunch',
    'Agreed to pay after visiting the bank',
  ],
  2: ['Family member answered, left no message', 'Colleague answered, asked when to call again'],
  3: ['No answer', 'Rang out twice'],
  4: ['Line busy', 'Cut the call'],
  5: ['Number belongs to somebody else'],
  6: ['Switched off', 'Out of coverage'],
  7: [
    'Replied on WhatsApp, asked for the payment link',
    'Read the message, promised to look at it',
  ],
  8: ['WhatsApp delivered, no reply'],
  9: ['Not on WhatsApp'],
}
const RESULTS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
const RESULT_WEIGHTS = [34, 7, 24, 8, 2, 11, 7, 5, 2]

interface Worked {
  caseId: string
  orderId: string
  customerId: string
  stageId: string
  holder: DemoCollector
}

interface Contact {
  at: number
  result: number
  willingness: number | null
  next: number
}

export class ContactBook {
  readonly #follows: Row[] = []
  readonly #calls: Row[] = []

  /** Contacts inside the calling hours, at most one or two a day. */
  add(
    { caseId, orderId, customerId, stageId, holder }: Worked,
    from: number,
    until: number,
    rng: Rng,
  ): Contact[] {
    const done: Contact[] = []
    const days = Math.min(daysBetween(istDay(from), istDay(until)), 9)
    for (let n = 0; n <= days && done.length < 7; n += 1) {
      if (!rng.chance(n === days ? 0.62 : 0.5)) continue
      const at =
        istMidnight(addDays(istDay(from), n)).getTime() +
        8 * HOUR +
        rng.int(40, 620) * MINUTE +
        rng.int(0, 59) * SECOND
      if (at <= from || at >= until - MINUTE) continue
      const result = RESULTS[rng.weighted(RESULT_WEIGHTS)] as number
      const willingness = isReached(result)
        ? ([1, 2, 3, 4, 5][rng.weighted([38, 22, 12, 8, 20])] as number)
        : null
      // the next contact is due at least a gap later, inside the hours
      const tomorrow =
        istMidnight(addDays(istDay(at), rng.weighted([35, 45, 20]))).getTime() +
        8 * HOUR +
        rng.int(20, 600) * MINUTE
      const next =
        tomorrow > at + 2 * HOUR
          ? tomorrow
          : istMidnight(addDays(istDay(at), 1)).getTime() + 9 * HOUR + rng.int(0, 500) * MINUTE
      const way = result >= 7 ? 'whatsapp' : 'phone'
      const talked = way === 'phone' && (result === 1 || result === 2) ? rng.int(25, 320) : null
      const callId = `CL${FIRST_NUMBER + this.#calls.length}`
      this.#calls.push({
        id: callId,
        kind: 'case',
        case_id: caseId,
        customer_id: customerId,
        user_id: holder.id,
        contact_id: customerId,
        way,
        state: way === 'phone' ? 'ended' : 'sent',
        started_at: at - (talked ?? 20) * SECOND,
        duration_sec: talked,
        recording_ref: talked === null ? null : `rec-${callId}`,
        agency_id: holder.agencyId,
        department_id: holder.departmentId,
        group_id: holder.groupId,
        stage_id: stageId,
      })
      this.#follows.push({
        id: `F${FIRST_NUMBER + this.#follows.length}`,
        case_id: caseId,
        order_id: orderId,
        customer_id: customerId,
        operator_id: holder.id,
        agency_id: holder.agencyId,
        department_id: holder.departmentId,
        group_id: holder.groupId,
        stage_id: stageId,
        contact_id: customerId,
        relation: 'self',
        contact_way: way,
        contact_last4: null,
        reachable: isReached(result),
        contact_result: result,
        willingness,
        allocation_at: from,
        commitment_at: willingness === null ? null : next,
        next_follow_at: next,
        remark: rng.pick(REMARKS[result] ?? ['-']),
        call_id: callId,
        duration_sec: talked,
        created_at: at,
      })
      done.push({ at, result, willingness, next })
    }
    return done
  }

  /** After the cases. */
  async write(trx: Trx): Promise<void> {
    await bulkInsert(trx, 'call_log', CALL_LOG_COLUMNS, this.#calls)
    await bulkInsert(trx, 'follow_up', FOLLOW_UP_COLUMNS, this.#follows)
    await sql`
      update follow_up f set contact_last4 = c.phone_last4 from customer c where c.id = f.customer_id
        and f.contact_last4 is null`.execute(trx)
    await sql`
      update follow_up f set ptp_at = c.ptp_at, ptp_amount = c.ptp_amount from collection_case c
        where c.id = f.case_id and c.ptp_state = 'open' and f.created_at = c.ptp_made_at`.execute(
      trx,
    )
    await sql`
      select setval('follow_id_seq', ${FIRST_NUMBER + this.#follows.length}, false),
        setval('call_id_seq', ${FIRST_NUMBER + this.#calls.length}, false)`.execute(trx)
  }
}
