/**
 * What must hold over the whole database at any time, between any two transactions. Each feature
 * brings its own rules in `<thing>-invariants.ts`; here they are listed and checked. A check only
 * reads, and may run while people work.
 */
import { sql } from 'kysely'
import type { Database } from './client.ts'
import type { Invariants, InvariantResult } from './invariant.ts'
import type { Db } from './transaction.ts'
import { LEDGER_INVARIANTS } from '#gateway/manage/features/repayments/ledger/ledger-invariants.ts'
import { LOAN_INVARIANTS } from '#gateway/manage/features/repayments/loan-invariants.ts'
import { WAIVER_INVARIANTS } from '#gateway/manage/features/repayments/waiver-invariants.ts'
import { ORDER_INVARIANTS } from '#gateway/manage/features/orders/order-invariants.ts'
import { COUPON_INVARIANTS } from '#gateway/manage/features/coupons/coupon-invariants.ts'
import { APPROVAL_INVARIANTS } from '#gateway/manage/features/approvals/approval-invariants.ts'
import { LOG_INVARIANTS } from '#gateway/manage/kernel/log-invariants.ts'
import { REVIEW_INVARIANTS } from '#gateway/manage/features/review/review-invariants.ts'
import {
  CASE_COUNTERS,
  CASE_INVARIANTS,
} from '#gateway/manage/features/collection/case-invariants.ts'
import { STORAGE_INVARIANTS } from '#gateway/manage/features/vendors/storage/storage-invariants.ts'
import { TICKET_INVARIANTS } from '#gateway/manage/features/tickets/ticket-invariants.ts'

const RULES: Invariants = {
  ...LEDGER_INVARIANTS,
  ...LOAN_INVARIANTS,
  ...WAIVER_INVARIANTS,
  ...ORDER_INVARIANTS,
  ...COUPON_INVARIANTS,
  ...APPROVAL_INVARIANTS,
  ...LOG_INVARIANTS,
  ...REVIEW_INVARIANTS,
  ...CASE_INVARIANTS,
  ...TICKET_INVARIANTS,
  ...STORAGE_INVARIANTS,
}

export const RULE_CODES = Object.keys(RULES)

/** Counts a drifted counter again. @returns rows changed; 0 when the rule is of no counter */
export async function mendCounter(db: Db, code: string): Promise<number> {
  const counter = CASE_COUNTERS[code]
  if (counter === undefined) return 0
  const [lock, count] = counter
  await sql.raw(lock).execute(db)
  const { numAffectedRows = 0n } = await sql.raw(count).execute(db)
  return Number(numAffectedRows)
}

/** One rule, by its code. @throws TypeError for a code there is not */
export async function checkRule(db: Db, code: string): Promise<InvariantResult> {
  const rule = RULES[code]
  if (rule === undefined) throw new TypeError(`no rule ${code}`)
  const [name, query] = rule
  const { rows } = await sql<{ violations: number; sample: string[] | null }>`
    select count(*)::int as violations, (array_agg(b.id order by b.id))[1:5] as sample
      from (${sql.raw(query)}) b`.execute(db)
  return { code, name, violations: rows[0]?.violations ?? 0, sample: rows[0]?.sample ?? [] }
}

/** All rules with the rows that break them, in one read-only snapshot. */
export async function checkInvariants(database: Database): Promise<InvariantResult[]> {
  return database.kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      // a rule reads whole tables, and locks nothing
      await sql`set local statement_timeout = 0`.execute(trx)
      const results: InvariantResult[] = []
      for (const code of RULE_CODES) results.push(await checkRule(trx, code))
      return results
    })
}

/** Rules that are broken; what a test wants to be empty. */
export async function brokenInvariants(database: Database): Promise<InvariantResult[]> {
  return (await checkInvariants(database)).filter(({ violations }) => violations > 0)
}
