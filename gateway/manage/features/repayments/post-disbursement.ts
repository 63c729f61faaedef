import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import type { EmiAgreement } from '#shared/products/emi-offer.ts'
import { PLAN_CHANGED } from '#shared/orders/orders-live.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { LEDGER_ACCOUNT, type LedgerAccount } from './ledger-accounts.ts'
import { type MadePlan, makePlans, plansOfEmi } from './make-plans.ts'

export interface DisbursedLoan {
  orderId: string
  /** Paise; amount = arrival amount + service charge. */
  amount: number
  arrivalAmount: number
  serviceCharge: number
  /** Of the whole contract; of an EMI loan that of its plan, from the day of disbursement. */
  interest: number
  periods: number
  daysPerPeriod: number
  emi?: EmiAgreement
  /** Instant of the transfer, ISO 8601. */
  disbursedAt: string
  /** What the posting refers to: the transfer. */
  refId: string
}

export interface OpenedLoan {
  /** IST day of the last instalment. */
  dueAt: string
  /** Paise still to be paid over all plans. */
  outstanding: number
}

interface Entry {
  /** The two postings of a disbursement; each one balances. */
  posting: 'disbursement' | 'interestDue'
  serialNo: number | null
  account: LedgerAccount
  debit: string
  credit: string
}

/**
 * Opens a disbursed loan in the caller's transaction: its plans and their two postings, the
 * disbursement and the interest due. Interest is recognised with the contract, so from the first
 * day a plan's balance equals the sum of its receivable entries. The business day is the IST day of
 * the disbursement.
 * @param rooms rooms that receive the events of the plans
 */
export async function postDisbursement(
  tx: CommandTx,
  loan: DisbursedLoan,
  rooms: readonly string[],
): Promise<OpenedLoan> {
  const day = istDay(loan.disbursedAt)
  const plans = plansOf(loan, day)
  const stored = await insertPlansAndEntries(tx.db, loan, day, plans, entriesOf(loan, plans))
  for (const plan of stored) {
    tx.emit(PLAN_CHANGED, {
      subject: `plan:${plan.id}`,
      version: 1,
      rooms,
      data: {
        planId: plan.id,
        orderId: loan.orderId,
        paymentStatus: 'unpaid',
        outstanding: plan.outstanding,
        overdueDays: 0,
      },
    })
  }
  // makePlans gives at least one
  return {
    dueAt: (plans.at(-1) as MadePlan).dueAt,
    outstanding: stored.reduce((sum, plan) => sum + plan.outstanding, 0),
  }
}

function plansOf({ amount, interest, periods, daysPerPeriod, emi }: DisbursedLoan, day: string) {
  const principal = BigInt(amount)
  return emi === undefined
    ? makePlans({ principal, interest: BigInt(interest), periods, daysPerPeriod }, day)
    : plansOfEmi({ ...emi, principal }, day)
}

function entriesOf(loan: DisbursedLoan, plans: readonly MadePlan[]): Entry[] {
  const debit = (
    posting: Entry['posting'],
    account: LedgerAccount,
    amount: bigint,
    serialNo: number | null,
  ): Entry => ({ posting, serialNo, account, debit: String(amount), credit: '0' })
  const credit = (posting: Entry['posting'], account: LedgerAccount, amount: bigint): Entry => ({
    posting,
    serialNo: null,
    account,
    debit: '0',
    credit: String(amount),
  })
  const entries = [
    ...plans.map((plan) =>
      debit('disbursement', LEDGER_ACCOUNT.principalReceivable, plan.principal, plan.serialNo),
    ),
    credit('disbursement', LEDGER_ACCOUNT.payoutClearing, BigInt(loan.arrivalAmount)),
    credit(
      'disbursement',
      LEDGER_ACCOUNT.serviceChargeIncome,
      BigInt(loan.serviceCharge - (loan.emi?.gst ?? 0)),
    ),
    credit('disbursement', LEDGER_ACCOUNT.gstPayable, BigInt(loan.emi?.gst ?? 0)),
    ...plans.map((plan) =>
      debit('interestDue', LEDGER_ACCOUNT.interestReceivable, plan.interest, plan.serialNo),
    ),
    credit('interestDue', LEDGER_ACCOUNT.interestIncome, BigInt(loan.interest)),
  ]
  // an entry of 0 is neither debit nor credit and is left out
  return entries.filter((entry) => entry.debit !== '0' || entry.credit !== '0')
}

/** One statement, because the ledger checks the balance of whole postings. */
async function insertPlansAndEntries(
  trx: Trx,
  loan: DisbursedLoan,
  day: string,
  plans: readonly MadePlan[],
  entries: readonly Entry[],
): Promise<{ id: string; outstanding: number }[]> {
  const planRows = plans.map((plan) => ({
    serial_no: plan.serialNo,
    due_at: plan.dueAt,
    principal: String(plan.principal),
    interest: String(plan.interest),
  }))
  const entryRows = entries.map((entry) => ({
    posting: entry.posting,
    serial_no: entry.serialNo,
    account: entry.account,
    debit: entry.debit,
    credit: entry.credit,
  }))
  const { rows } = await sql<{ id: string; outstanding: number }>`
    with made as (
      insert into repay_plan (order_id, serial_no, due_at, principal, interest, open_principal,
        open_interest, open_service, open_fine, outstanding)
      select ${loan.orderId}, p.serial_no, p.due_at, p.principal, p.interest, p.principal, p.interest, 0, 0,
        p.principal + p.interest
      from jsonb_to_recordset(${JSON.stringify(planRows)}::jsonb) as p (serial_no int, due_at date,
        principal bigint, interest bigint)
      returning id, serial_no, outstanding
    ), postings as materialized (
      select k.posting, 'X' || nextval('ledger_txn_seq') as txn_id
        from (values ('disbursement'), ('interestDue')) as k (posting)
    ), posted as (
      insert into ledger_entry (txn_id, order_id, plan_id, account, debit, credit, kind, ref_id, biz_date)
      select k.txn_id, ${loan.orderId}, m.id, e.account, e.debit, e.credit, e.posting, ${loan.refId},
        ${day}::date
      from jsonb_to_recordset(${JSON.stringify(entryRows)}::jsonb) as e (posting text, serial_no int,
        account text, debit bigint, credit bigint)
      join postings k on k.posting = e.posting
      left join made m on m.serial_no = e.serial_no
    )
    select m.id, m.outstanding from made m order by m.serial_no`.execute(trx)
  return rows
}
