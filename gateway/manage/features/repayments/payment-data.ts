/** What payments, proofs and reliefs know of customers. */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  ERASED,
  eraseRows,
  type PersonalData,
  withFiles,
} from '#gateway/manage/kernel/personal-data.ts'
import { LEDGER_ACCOUNT } from './ledger-accounts.ts'

/** Money that belongs to the customer, or is claimed from them, also after the order has ended. */
const OPEN_ACCOUNTS = [
  LEDGER_ACCOUNT.customerCredit,
  LEDGER_ACCOUNT.recoveryClaim,
  LEDGER_ACCOUNT.payoutRecoverable,
]

export const paymentData: PersonalData = {
  name: 'repayments',
  isHeld: sql`(
    exists (select from repay_record r where r.customer_id = c.id and (r.pay_state = 'inProgress'
      or (r.conflict_at is not null and r.conflict_ended_at is null)))
    or exists (select from repay_proof p where p.customer_id = c.id and p.state = 'pending')
    or exists (select from ledger_entry e join loan_order o on o.id = e.order_id
      where o.customer_id = c.id and e.account = any(${OPEN_ACCOUNTS})
      group by e.order_id, e.account having sum(e.debit) <> sum(e.credit)))`,
  lastAt: sql`(select max(r.paid_at) from repay_record r where r.customer_id = c.id)`,
  erase,
}

function erase(tx: CommandTx, id: string): Promise<Record<string, number>> {
  const proofs = sql`select p.id from repay_proof p where p.customer_id = ${id}`
  const orders = sql`select o.id from loan_order o where o.customer_id = ${id}`
  const kept = (column: string) =>
    sql`${sql.ref(column)} = case when ${sql.ref(column)} is null then null else ${ERASED} end`
  return eraseRows(tx, {
    repay_proof_file: withFiles('repay_proof_file', sql<boolean>`x.proof_id in (${proofs})`),
    repay_proof: sql`
      update repay_proof set submitted_by_name = case when submitter = 'customer' then ${ERASED}
        else submitted_by_name end, ${kept('reason')}
      where customer_id = ${id}`,
    repay_record: sql`
      update repay_record set upi_enc = null, upi_masked = null, remark = null,
        ${kept('fail_reason')}, ${kept('reverse_reason')}, ${kept('conflict_reason')}
      where customer_id = ${id}`,
    reduction: sql`
      update reduction set reason = ${ERASED}, ${kept('decide_reason')} where customer_id = ${id}`,
    write_off: sql`update write_off set ${kept('reason')} where customer_id = ${id}`,
    approval: sql`
      update approval set reason = ${ERASED}, ${kept('decide_reason')}
      where target_id in (${orders}) or payload ->> 'orderId' in (${orders})`,
  })
}
