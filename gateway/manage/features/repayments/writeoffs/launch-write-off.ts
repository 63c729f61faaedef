/** Writes off one order: at once, or by a payment that another person confirms. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay, istDayEnd } from '#shared/kernel/time.ts'
import { ORDER_STATE, REASON_REQUIRED } from '#shared/orders/order-problems.ts'
import { orderStatusName } from '#shared/orders/order-statuses.ts'
import { ABOVE_CAP, AMOUNT_WRONG } from '#shared/repayments/repayment-problems.ts'
import { OPERATIONAL_FROM, writeOffCapOf } from '#shared/repayments/write-off-sets.ts'
import type {
  launchWriteOff as launchCall,
  writeOffQuote as quoteCall,
} from '#shared/repayments/write-offs-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { blacklistCustomer, endBlacklisting } from '#gateway/manage/features/customers/public.ts'
import { isOrderInScope } from '#gateway/manage/features/orders/public.ts'
import { bookPayment, lockLoanInScope } from '../booking/book-payment.ts'
import { dueOn } from '../count-payment.ts'
import { type Loan, readLoan } from '../loan-store.ts'
import { hasOpenPayment } from '../record-store.ts'
import type { WhenPaid } from '../paid-order.ts'
import { owedOn } from './count-write-off.ts'
import { isBusy, writeOffLoan } from './write-off-loan.ts'
import { insertWriteOff, newWriteOffId, type WriteOffRow, writeOffRow } from './write-off-rows.ts'

type Input = InputOf<typeof launchCall>

/** @throws Problem G403, G404, G409, G-FIELD, M-REA, M-AMT, M-CAP, M-OPEN, M-UTR, O-STATE */
export async function launchWriteOff(
  tx: CommandTx,
  input: Input,
  whenPaid: readonly WhenPaid[],
): Promise<WriteOffRow> {
  const { rights } = staff(tx.actor)
  if (
    !rights.permissions.has(
      `flat_management:${input.type === 'operational' ? 'operational' : 'launch'}`,
    )
  )
    throw new Problem(FORBIDDEN)
  if (input.type === 'operational' && input.reason === undefined)
    throw new Problem(REASON_REQUIRED, {}, { fields: { reason: 'required' } })
  const loan = await lockLoanInScope(tx, input.orderId)
  if (loan.version !== input.version)
    throw await changedByOther(tx.db, 'order', loan.orderId, {
      orderId: loan.orderId,
      version: loan.version,
    })
  const today = istDay(await tx.now())
  if (input.repaymentDate > today)
    throw new Problem(INVALID_FIELDS, {}, { fields: { repaymentDate: 'repayments:fault.future' } })
  const id =
    input.type === 'operational'
      ? await giveUp(tx, loan, input, today, whenPaid)
      : await settleByPayment(tx, loan, input, today)
  return writeOffRow(tx.db, id)
}

/** Takes effect at once, is irreversible, and blacklists the customer in the same transaction. */
async function giveUp(
  tx: CommandTx,
  loan: Loan,
  { reason = '', amount, repaymentDate }: Input,
  today: string,
  whenPaid: readonly WhenPaid[],
): Promise<string> {
  const actor = staff(tx.actor)
  if (!OPERATIONAL_FROM.includes(loan.status))
    throw new Problem(ORDER_STATE, { status: orderStatusName(loan.status) })
  const owed = owedOn(loan, today)
  if (amount !== owed)
    throw new Problem(
      AMOUNT_WRONG,
      { rule: 'equal', amount: owed },
      { fields: { amount: 'repayments:fault.amount.equal' }, due: owed },
    )
  const cap = await capOf(tx.db, actor)
  if (owed > cap) throw new Problem(ABOVE_CAP, { amount: cap })
  const id = await writeOffLoan(
    tx,
    loan,
    {
      type: 'operational',
      reason,
      repaymentDate,
      operator: { id: actor.userId, name: actor.userName },
      confirmer: null,
      approvalId: null,
      event: (outstandingPaise) => ({
        type: 'OPS_WRITE_OFF',
        reason,
        outstandingPaise,
        capPaise: cap,
      }),
    },
    whenPaid,
  )
  await blacklist(tx, loan.customerId, reason)
  return id
}

/** Replaces a blacklist entry of another source, because the write-off is the stronger reason. */
async function blacklist(tx: CommandTx, customerId: string, reason: string): Promise<void> {
  const { rows } = await sql<{
    id: string
    source: string
  }>`select b.id, b.source from blacklist b where b.customer_id = ${customerId} and b.ended_at is null`.execute(
    tx.db,
  )
  const listed = rows[0]
  if (listed?.source === 'operationalWriteOff') return
  if (listed) await endBlacklisting(tx, listed.id, reason)
  await blacklistCustomer(tx, { customerId, source: 'operationalWriteOff', reason })
}

async function settleByPayment(
  tx: CommandTx,
  loan: Loan,
  { type, amount, repaymentDate, reason, utr, upi, channel, bankCode }: Input,
  today: string,
): Promise<string> {
  const missing = Object.entries({ utr, upi, channel, bankCode }).filter(
    ([, value]) => value === undefined,
  )
  if (utr === undefined || upi === undefined || channel === undefined || bankCode === undefined)
    throw new Problem(
      INVALID_FIELDS,
      {},
      { fields: Object.fromEntries(missing.map(([name]) => [name, 'required'])) },
    )
  if (!OPERATIONAL_FROM.includes(loan.status) && loan.status !== 43)
    throw new Problem(ORDER_STATE, { status: orderStatusName(loan.status) })
  const payTime = repaymentDate === today ? await tx.now() : istDayEnd(repaymentDate).toISOString()
  const record = await bookPayment(
    tx,
    loan,
    {
      orderId: loan.orderId,
      repaymentType: type === 'operational' ? 'full' : type,
      amount,
      utr,
      upi,
      channel,
      bankCode,
      payTime,
    },
    'writeOff',
  )
  const id = await newWriteOffId(tx.db)
  const { userId, userName } = staff(tx.actor)
  await insertWriteOff(tx.db, {
    id,
    orderId: loan.orderId,
    customerId: loan.customerId,
    type,
    state: 'pending',
    repaymentDate,
    amount,
    outstandingBefore: owedOn(loan, today),
    resultStatus: null,
    reason: reason ?? null,
    operator: { id: userId, name: userName },
    confirmer: null,
    recordId: record.id,
    approvalId: null,
  })
  tx.log({
    action: 'launchWriteOff',
    targetKind: 'order',
    targetId: loan.orderId,
    after: { writeOffId: id, type, amount, recordId: record.id, repaymentDate },
  })
  return id
}

async function capOf(db: Db, { rights }: StaffActor): Promise<number> {
  const code = writeOffCapOf(rights.roleMark)
  if (code === null) return 0
  const { rows } = await sql<{
    cap: number
  }>`select x.value::bigint as cap from sys_config x where x.code = ${code} and x.state = 'enabled'`.execute(
    db,
  )
  return rows[0]?.cap ?? 0
}

/** @throws Problem G404 */
export async function quoteWriteOff(
  db: Db,
  actor: StaffActor,
  orderId: string,
): Promise<DataOf<typeof quoteCall>> {
  const loan = (await isOrderInScope(db, actor, orderId)) ? await readLoan(db, orderId) : null
  if (!loan) throw new Problem(NOT_FOUND)
  const { rows } = await sql<{
    now: string
    userName: string
    blacklisted: boolean
  }>`
    select clock_timestamp() as now, c.name as "userName", c.blacklisted
    from customer c
    where c.id = ${loan.customerId}`.execute(db)
  const { now, userName, blacklisted } = rows[0] as {
    now: string
    userName: string
    blacklisted: boolean
  }
  const today = istDay(now)
  return {
    orderId,
    version: loan.version,
    status: loan.status,
    userName,
    outstanding: owedOn(loan, today),
    principal: loan.plans.reduce((sum, plan) => sum + plan.principal, 0),
    due: dueOn(loan, today),
    cap: await capOf(db, actor),
    isBusy: await isBusy(db, orderId),
    isBeingPaid: await hasOpenPayment(db, orderId),
    blacklisted,
    today,
  }
}
