/** The rows of a loan after it was folded again. Pure. */
import { foreclosurePlanId } from '#shared/repayments/fold/emi-rows.ts'
import type { LoanAt } from '#shared/repayments/fold/loan-at.ts'
import type { PlanTerms } from '#shared/repayments/fold/loan-history.ts'
import { daysBetween, istDay } from '#shared/kernel/time.ts'
import { type Loan, type LoanPlan, outstandingOf, planStatus } from '../loan-store.ts'
import type { Refold } from './refold.ts'

export interface BookedOn {
  /** IST day it is booked on. */
  today: string
  /** Plans with another payment in progress. */
  beingPaid: ReadonlySet<string | null>
}

/** All rows, those that money ahead of an EMI loan brings included, the oldest due first. */
export function plansAfter(
  loan: Loan,
  after: LoanAt,
  booked: BookedOn & Pick<Refold, 'stoppedOn' | 'calledInOn'>,
): LoanPlan[] {
  const states = new Map(after.plans.map((plan, i) => [plan.planId, { plan, i }]))
  const stored = loan.plans.map((plan) => {
    const state = states.get(plan.planId)
    states.delete(plan.planId)
    if (state === undefined) return dropped(plan, booked.calledInOn)
    const terms = after.planTerms[state.i] as PlanTerms
    const isEven = loan.emi === null || plan.plannedInterest === undefined
    return planAfter(isEven ? plan : replanned(plan, terms), state.plan, booked)
  })
  const fresh = [...states.values()].map(({ plan, i }) => {
    const terms = after.planTerms[i] as PlanTerms
    return planAfter(newPlan(loan, terms), plan, booked)
  })
  return [...stored, ...fresh].toSorted(
    (one, other) =>
      (one.dueDay < other.dueDay ? -1 : one.dueDay > other.dueDay ? 1 : 0) ||
      one.serialNo - other.serialNo,
  )
}

/** A plan of an EMI loan as it is due now. */
function replanned(plan: LoanPlan, { dueDay, principal, interest, service }: PlanTerms): LoanPlan {
  return { ...plan, dueDay, planned: principal, plannedInterest: interest, bounced: service }
}

/**
 * A row for money ahead that was taken back, or for a call-in that never was or found nothing left.
 * @param calledInOn kept, so that the rest is due from that day when money is taken back
 */
function dropped(plan: LoanPlan, calledInOn: string | null): LoanPlan {
  return {
    ...plan,
    planned: 0,
    plannedInterest: 0,
    bounced: 0,
    principal: 0,
    interest: 0,
    service: 0,
    fine: 0,
    overdueFine: 0,
    paid: 0,
    reduced: 0,
    reducedAt: null,
    fineTo: null,
    overdueDays: 0,
    settledAt: null,
    calledInOn: plan.kind === 'foreclosure' ? calledInOn : null,
    status: 'dropped',
  }
}

function newPlan(
  { orderId }: Loan,
  { planId, dueDay, principal, interest, service }: PlanTerms,
): LoanPlan {
  return {
    planId,
    orderId,
    serialNo: Number.MAX_SAFE_INTEGER,
    dueDay,
    planned: principal,
    plannedInterest: interest,
    bounced: service,
    kind: planId === foreclosurePlanId(orderId) ? 'foreclosure' : 'prepayment',
    principal,
    interest,
    service,
    fine: 0,
    overdueFine: 0,
    paid: 0,
    waived: 0,
    reduced: 0,
    reducedAt: null,
    fineTo: null,
    status: 'unpaid',
    overdueDays: 0,
    settledAt: null,
    version: 0,
  }
}

function planAfter(
  plan: LoanPlan,
  {
    planId: _planId,
    waived: _waived,
    deferred: _deferred,
    settledAt,
    ...parts
  }: LoanAt['plans'][number],
  { today, stoppedOn, beingPaid, calledInOn }: BookedOn & Pick<Refold, 'stoppedOn' | 'calledInOn'>,
): LoanPlan {
  const isOpen = outstandingOf(parts) > 0
  const lastDay = settledAt === null ? today : istDay(settledAt)
  const fineDay = stoppedOn ?? today
  const after = {
    ...plan,
    ...parts,
    ...(plan.kind === 'foreclosure' ? { calledInOn } : {}),
    reducedAt:
      parts.reduced === 0 ? null : parts.reduced === plan.reduced ? plan.reducedAt : settledAt,
    fineTo: isOpen && fineDay > plan.dueDay ? fineDay : plan.fineTo,
    overdueDays: Math.max(0, daysBetween(plan.dueDay, lastDay)),
    settledAt: isSameInstant(plan.settledAt, settledAt) ? plan.settledAt : settledAt,
  }
  if (isOpen) return { ...after, status: planStatus(after, beingPaid.has(plan.planId)) }
  return isNothingDue(after)
    ? { ...after, status: 'dropped', overdueDays: 0 }
    : { ...after, status: 'paid' }
}

/** An instalment that a prepayment made needless. */
function isNothingDue(plan: LoanPlan): boolean {
  const { planned, plannedInterest, bounced = 0, paid, reduced, waived } = plan
  return planned === 0 && plannedInterest === 0 && bounced + paid + reduced + waived === 0
}

function isSameInstant(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && Date.parse(one) === Date.parse(other)
}
