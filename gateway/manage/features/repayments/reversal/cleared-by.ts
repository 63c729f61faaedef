/** What a payment did on the ledger, for counting it back on what is stored. */
import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { LEDGER_ACCOUNT, type LedgerAccount } from '../ledger-accounts.ts'
import type { Posting } from '../post-entries.ts'
import type { Cleared } from './count-reversal.ts'

/** What the payment, its exit, its coupon and the reduction it used posted on each instalment. */
export async function clearedBy(
  trx: Trx,
  orderId: string,
  {
    recordId,
    reduceId,
    grantId,
  }: { recordId: string; reduceId: string | null; grantId: string | null },
): Promise<Cleared[]> {
  const part = (
    kinds: readonly Posting['kind'][],
    accounts: readonly LedgerAccount[],
    ref: string | null,
  ) =>
    sql`
      coalesce(sum(e.credit - e.debit) filter (where e.kind = any(${kinds}) and e.ref_id = ${ref}
        and e.account = any(${accounts})), 0)::bigint`
  const paid = (...accounts: LedgerAccount[]) =>
    part(['repayment', 'coolingOffExit'], accounts, recordId)
  const reduced = (account: LedgerAccount) => part(['reduction'], [account], reduceId)
  const waived = (account: LedgerAccount) => part(['coolingOffWaiver'], [account], recordId)
  // used again after it was given back, it has postings of both payments: they add up to the last
  const couponed = (account: LedgerAccount) =>
    part(['coupon', 'couponReversal'], [account], grantId)
  const {
    principalReceivable,
    doubtfulPrincipal,
    interestReceivable,
    serviceReceivable,
    fineReceivable,
  } = LEDGER_ACCOUNT
  const { rows } = await sql<Cleared>`
    select e.plan_id as "planId", ${paid(principalReceivable, doubtfulPrincipal)} as principal,
      ${paid(interestReceivable)} as interest, ${paid(serviceReceivable)} as service,
      ${paid(fineReceivable)} as fine,
      ${part(['fineCorrection'], [fineReceivable], recordId)} as corrected,
      ${reduced(interestReceivable)} as "reducedInterest",
        ${reduced(serviceReceivable)} as "reducedService", ${reduced(fineReceivable)} as "reducedFine",
        ${couponed(interestReceivable)} as "couponedInterest",
        ${couponed(serviceReceivable)} as "couponedService", ${couponed(fineReceivable)} as "couponedFine",
        ${waived(interestReceivable)} as "waivedInterest", ${waived(serviceReceivable)} as "waivedService"
    from ledger_entry e where e.order_id = ${orderId} and e.plan_id is not null
      and e.ref_id in (${recordId}, ${reduceId}, ${grantId}) group by e.plan_id`.execute(trx)
  return rows
}

export async function surplusOf(trx: Trx, recordId: string): Promise<number> {
  const { rows } = await sql<{
    surplus: number
  }>`select r.surplus from repay_record r where r.id = ${recordId}`.execute(trx)
  return rows[0]?.surplus ?? 0
}
