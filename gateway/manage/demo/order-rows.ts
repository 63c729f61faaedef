/** A lived order as rows of orders, transfers, plans and ledger. */
import { addDays, istDay, istDayEnd } from '#shared/kernel/time.ts'
import { closeTypeOf } from '#shared/orders/close-types.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { maskUpi } from '#shared/repayments/mask-upi.ts'
import { extensionOf } from './products.ts'
import {
  CHANNEL,
  type Life,
  MINUTE,
  openOf,
  type Payment,
  type Plan,
  type Transfer,
} from './life.ts'
import type { Person } from './people.ts'
import { rngOf } from './random.ts'
import type { Batch } from './tables.ts'

export interface OrderIds {
  orderId: string
  customerId: string
  channelId: string
  fromOrderId: string | null
}
export interface Numbers {
  plan: number
  transfer: number
  record: number
  txn: number
}

/** Ids given on the way, by which postings find plans and payments. */
export interface GivenIds {
  plans: Map<Plan, string>
  payments: Map<Payment, string>
}

export function addOrder(
  batch: Batch,
  ids: OrderIds,
  life: Life,
  person: Person,
  secrets: Secrets,
  numbers: Numbers,
  given: GivenIds,
): void {
  const { orderId } = ids
  const { product } = life
  const outstanding = life.plans.reduce((sum, plan) => sum + openOf(plan), 0)
  // of a running loan the plans still open count, of an ended one the latest payment
  const overdueDays = life.plans.reduce(
    (most, plan) =>
      life.closedAt === null && plan.settledAt !== null ? most : Math.max(most, plan.overdueDays),
    0,
  )
  const lastAt = life.steps.at(-1)?.at ?? life.createdAt
  batch.add('loan_order', {
    id: orderId,
    customer_id: ids.customerId,
    product_id: product.id,
    app_id: product.appId,
    channel_id: ids.channelId,
    amount: life.amount,
    arrival_amount: life.amount - life.serviceCharge,
    service_charge: life.serviceCharge,
    interest: life.interest,
    contract_amount: life.amount + life.interest,
    tenure_days: product.tenureDays,
    term: life.follows ? 1 : product.periods,
    status: life.status,
    tags: life.tags,
    close_type: closeTypeOf(life.status),
    close_amount_type: life.closeAmountType,
    fail_reason: life.failReason,
    refusal_code: life.refusalCode,
    cool_down_until: life.coolDownUntil,
    due_at: life.plans.at(-1)?.dueAt ?? null,
    closed_at: life.closedAt,
    disbursed_at: life.disbursedAt,
    overdue_days: overdueDays,
    outstanding,
    resume_status: life.resumeStatus,
    rbi_class: life.closedAt === null ? classOf(overdueDays) : 'standard',
    kfs_version: 'KFS-2026-1',
    kfs_accepted_at: life.createdAt - MINUTE,
    cooling_off_until:
      life.disbursedAt === null || life.follows
        ? null
        : istDayEnd(addDays(istDay(life.disbursedAt), product.coolingOffDays)).getTime(),
    from_order_id: ids.fromOrderId,
    product_snapshot: {
      penaltyRate: product.penaltyRate,
      coolingOffDays: product.coolingOffDays,
      extend: extensionOf(product),
      ...(life.follows
        ? { serviceRate: 0, dailyRate: 0, periods: 1, daysPerPeriod: product.tenureDays }
        : {
            serviceRate: product.serviceRate,
            dailyRate: product.dailyRate,
            periods: product.periods,
            daysPerPeriod: product.daysPerPeriod,
          }),
    },
    created_at: life.createdAt,
    updated_at: lastAt,
    version: life.steps.length,
  })
  for (const step of life.steps)
    batch.add('order_status_log', {
      order_id: orderId,
      from_status: step.from,
      to_status: step.to,
      cause: step.cause,
      by_user_id: step.by.id,
      by_name: step.by.name,
      note: step.note,
      at: step.at,
    })
  for (const transfer of life.transfers)
    addTransfer(batch, orderId, life, transfer, person, secrets, numbers)
  addPlans(batch, orderId, life, numbers, given.plans)
  for (const payment of life.payments)
    addPayment(batch, ids, payment, person, secrets, numbers, given)
  if (life.extension) addExtension(batch, ids, life, life.extension, given)
}

/** Its payment is the order's before it, which is written first. */
function addExtension(
  batch: Batch,
  { orderId, fromOrderId }: OrderIds,
  { product, createdAt }: Life,
  { payment, fee, commission, serialNo }: NonNullable<Life['extension']>,
  { payments }: GivenIds,
): void {
  batch.add('extension', {
    order_id: fromOrderId,
    new_order_id: orderId,
    fee,
    commission,
    days: product.tenureDays,
    serial_no: serialNo,
    record_id: payments.get(payment),
    created_at: createdAt,
  })
}

/** The ledger of an order; once all orders of its borrower have their plans. */
export function addPostings(
  batch: Batch,
  life: Life,
  orderId: string,
  successorId: string | null,
  numbers: Numbers,
  { plans, payments }: GivenIds,
): void {
  for (const posting of life.postings) {
    const txnId = `X${numbers.txn++}`
    for (const line of posting.lines) {
      batch.add('ledger_entry', {
        txn_id: txnId,
        order_id: line.ofSuccessor ? successorId : orderId,
        plan_id: line.plan ? plans.get(line.plan) : null,
        account: line.account,
        debit: Math.max(0, line.amount),
        credit: Math.max(0, -line.amount),
        kind: posting.kind,
        ref_id: posting.payment ? payments.get(posting.payment) : null,
        biz_date: posting.bizDate,
        at: posting.at,
      })
    }
  }
}

function addPlans(
  batch: Batch,
  orderId: string,
  life: Life,
  numbers: Numbers,
  planIds: Map<Plan, string>,
): void {
  for (const plan of life.plans) {
    const id = `P${numbers.plan++}`
    planIds.set(plan, id)
    batch.add('repay_plan', {
      id,
      order_id: orderId,
      serial_no: plan.serialNo,
      due_at: plan.dueAt,
      principal: plan.principal,
      interest: plan.interest,
      overdue_fine: plan.fine,
      reduced_fees: plan.reduced,
      waived: plan.waived,
      paid_amount: plan.paid,
      outstanding: openOf(plan),
      open_principal: plan.openPrincipal,
      open_interest: plan.openInterest,
      open_service: 0,
      open_fine: plan.openFine,
      fine_to: plan.accruedTo > plan.dueAt ? plan.accruedTo : null,
      payment_status: plan.status,
      overdue_days: plan.overdueDays,
      reduction_at: plan.reductionAt,
      actual_repayment_at: plan.status === 'paid' ? plan.settledAt : null,
      created_at: life.disbursedAt,
      updated_at: plan.settledAt ?? life.disbursedAt,
    })
  }
}

const WALLETS = ['okaxis', 'okhdfcbank', 'ybl', 'paytm', 'ibl'] as const
/** E-wallet, payment link, bank transfer (dictionary `repay_channel`), and how often each. */
const CHANNELS = [1, 4, 2] as const
const CHANNEL_WEIGHTS = [55, 27, 18] as const

/**
 * Told by the payment channel: from the borrower's wallet, by a payment link, or by bank transfer.
 */
function addPayment(
  batch: Batch,
  { orderId, customerId }: OrderIds,
  payment: Payment,
  person: Person,
  secrets: Secrets,
  numbers: Numbers,
  { plans, payments }: GivenIds,
): void {
  const n = numbers.record++
  const id = `RR${n}`
  payments.set(payment, id)
  const rng = rngOf('payment', id)
  const channel = CHANNELS[rng.weighted(CHANNEL_WEIGHTS)] ?? 1
  const upi =
    channel === 2
      ? null
      : `${person.name.split(' ')[0]?.toLowerCase() ?? 'payer'}.${rng.int(10, 99)}@${rng.pick(WALLETS)}`
  const bankCode = person.bank.ifsc.slice(0, 4)
  const { doneAt } = payment
  batch.add('repay_record', {
    id,
    order_id: orderId,
    told_order_id: orderId,
    plan_id: plans.get(payment.plan),
    customer_id: customerId,
    repayment_type: payment.type,
    amount: payment.amount,
    // the record's own number makes it unlike any other
    utr: channel === 2 ? `${bankCode}${rng.int(1_000, 9_999)}${n}` : `${rng.int(1_000, 9_999)}${n}`,
    upi_enc: upi === null ? null : secrets.seal('repay_record.upi_enc', id, upi),
    upi_masked: upi === null ? null : maskUpi(upi),
    channel,
    bank_code: bankCode,
    pay_state: doneAt === null ? 'inProgress' : 'success',
    source: 'callback',
    paid_at: payment.at,
    confirmed_at: doneAt,
    operator_name: CHANNEL.name,
    confirmer_name: doneAt === null ? null : CHANNEL.name,
    vendor_code: CHANNEL.name,
    vendor_order_no: `PC${n}`,
    created_at: payment.at,
    updated_at: doneAt ?? payment.at,
    version: doneAt === null ? 1 : 2,
  })
}

function addTransfer(
  batch: Batch,
  orderId: string,
  life: Life,
  transfer: Transfer,
  person: Person,
  secrets: Secrets,
  numbers: Numbers,
): void {
  const id = `T${numbers.transfer++}`
  const { account, holder, ifsc } = person.bank
  const platformOrderNo = `${orderId}-${transfer.attemptNo}`
  const isDone = transfer.state !== 'inProgress'
  const { fails, utr } = outcomeOf(platformOrderNo, transfer)
  batch.add('payout_transfer', {
    id,
    order_id: orderId,
    platform_order_no: platformOrderNo,
    vendor_order_no: isDone ? `SB${orderId.slice(1)}${transfer.attemptNo}` : null,
    vendor_code: 'sandbox',
    payee_name: holder,
    transfer_type: 'IMPS',
    account_enc: secrets.seal('payout_transfer.account_enc', id, account),
    account_last4: account.slice(-4),
    ifsc,
    amount: life.amount - life.serviceCharge,
    pay_state: transfer.state,
    attempt_no: transfer.attemptNo,
    sent_at: transfer.sent ? transfer.at : null,
    send_attempts: transfer.sent ? 1 : 0,
    next_send_at: transfer.at,
    fail_at: fails,
    fail_reason: transfer.failReason,
    handling_method: transfer.handlingMethod,
    utr,
    finished_at: transfer.finishedAt,
    created_at: transfer.at,
    updated_at: transfer.finishedAt ?? transfer.at,
  })
}

function outcomeOf(
  platformOrderNo: string,
  transfer: Transfer,
): { fails: number | null; utr: string | null } {
  const rng = rngOf('utr', platformOrderNo)
  return {
    fails: transfer.state === 'fail' ? transfer.finishedAt : null,
    utr:
      transfer.state === 'success'
        ? `${rng.int(100_000, 999_999)}${String(rng.int(0, 999_999)).padStart(6, '0')}`
        : null,
  }
}

/** Asset class at the end of the day, by the RBI's norms of income recognition. */
function classOf(overdueDays: number): string {
  if (overdueDays <= 0) return 'standard'
  if (overdueDays <= 30) return 'sma0'
  if (overdueDays <= 60) return 'sma1'
  return overdueDays <= 90 ? 'sma2' : 'npa'
}
