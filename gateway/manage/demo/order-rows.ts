/** A lived order as rows of orders, transfers, plans and ledger. */
import { addDays, istDay, istDayEnd } from '#shared/kernel/time.ts'
import { closeTypeOf } from '#shared/orders/close-types.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { foreclosurePlanId, prepaymentPlanId } from '#shared/repayments/fold/emi-rows.ts'
import { extensionOf } from './products.ts'
import { type Life, MINUTE, openOf, type Plan, type Posting, type Transfer } from './life.ts'
import { addPayment } from './payment-rows.ts'
import type { GivenIds, Numbers, OrderIds } from './row-ids.ts'
import type { Person } from './people.ts'
import { rngOf } from './random.ts'
import type { Batch } from './tables.ts'

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
    tenure_days: life.tenureDays,
    term: life.term,
    status: life.status,
    tags: life.tags,
    close_type: closeTypeOf(life.status),
    close_amount_type: life.closeAmountType,
    fail_reason: life.failReason,
    refusal_code: life.refusalCode,
    cool_down_until: life.coolDownUntil,
    due_at: life.plans.findLast(({ kind }) => kind === 'instalment')?.dueAt ?? null,
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
    product_snapshot: life.emi ?? termsOf(life),
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
  for (const payment of life.payments) given.payments.set(payment, `RR${numbers.record++}`)
  addPlans(batch, orderId, life, numbers, given)
  for (const payment of life.payments) addPayment(batch, ids, payment, person, secrets, given)
  if (life.extension) addExtension(batch, ids, life, life.extension, given)
}

function termsOf({ product, follows }: Life): Record<string, unknown> {
  const { penaltyRate, coolingOffDays, serviceRate, dailyRate, periods, daysPerPeriod } = product
  return {
    penaltyRate,
    coolingOffDays,
    extend: extensionOf(product),
    ...(follows
      ? { serviceRate: 0, dailyRate: 0, periods: 1, daysPerPeriod: product.tenureDays }
      : { serviceRate, dailyRate, periods, daysPerPeriod }),
  }
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
        ref_id: refOf(posting, payments),
        biz_date: posting.bizDate,
        at: posting.at,
      })
    }
  }
}

/** A coupon that was used has the number of its payment. */
function refOf({ kind, payment }: Posting, payments: GivenIds['payments']): string | null {
  const recordId = payment === undefined ? undefined : payments.get(payment)
  if (recordId === undefined) return null
  return kind === 'coupon' ? recordId.replace('RR', 'CG') : recordId
}

function addPlans(
  batch: Batch,
  orderId: string,
  life: Life,
  numbers: Numbers,
  { plans, payments }: GivenIds,
): void {
  for (const plan of life.plans) {
    const id = planIdOf(plan, orderId, numbers, payments)
    plans.set(plan, id)
    batch.add('repay_plan', {
      id,
      order_id: orderId,
      serial_no: plan.serialNo,
      kind: plan.kind,
      due_at: plan.dueAt,
      principal: plan.principal,
      interest: plan.interest,
      service_fee: plan.bounced,
      bounce_charges: plan.bounced,
      overdue_fine: plan.fine,
      reduced_fees: plan.reduced,
      waived: plan.waived,
      paid_amount: plan.paid,
      outstanding: openOf(plan),
      open_principal: plan.openPrincipal,
      open_interest: plan.openInterest,
      open_service: plan.openService,
      open_fine: plan.openFine,
      fine_to: plan.accruedTo > plan.dueAt ? plan.accruedTo : null,
      payment_status: plan.status,
      overdue_days: plan.overdueDays,
      reduction_at: plan.reductionAt,
      actual_repayment_at: plan.status === 'paid' ? plan.settledAt : null,
      created_at: plan.kind === 'instalment' ? life.disbursedAt : plan.settledAt,
      updated_at: plan.settledAt ?? life.disbursedAt,
    })
  }
}

function planIdOf(
  { kind, prepaidWith }: Plan,
  orderId: string,
  numbers: Numbers,
  payments: GivenIds['payments'],
): string {
  if (kind === 'foreclosure') return foreclosurePlanId(orderId)
  return prepaidWith === null
    ? `P${numbers.plan++}`
    : prepaymentPlanId(payments.get(prepaidWith) as string)
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
