/** Attempts to pay a loan out, and what their vendor says about them later. */
import { type Action, TERMS } from '../actions.ts'
import { newPlan, type Order, portion, type Transfer } from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'
import { addRequest } from '../loan/requests.ts'

/** Pays out what was approved. */
export function dispatch({ borrowers }: Portfolio): string {
  for (const { order } of borrowers)
    if (order && (order.status === 20 || order.status === 26)) send(order)
  return 'ok'
}

export function receivePayout(
  portfolio: Portfolio,
  order: Order,
  { attempt, result }: Extract<Action, { kind: 'payout' }>,
): string {
  transferOf(order, attempt).state = result
  if (result === 'success') lend(portfolio, order)
  else order.status = 31
  return 'ok'
}

export function cancelDisbursement(order: Order): string {
  if (order.status !== 31) return 'O-STATE'
  if (isUnclear(order)) return 'O-RULE'
  order.status = 70
  return 'ok'
}

export function redisburse(order: Order): string {
  const refused = redisbursementRefused(order)
  if (refused !== null) return refused
  if (payoutOf(order) > TERMS.checkAbove) return addRequest(order, 'redisburse', null)
  send(order)
  return 'ok'
}

/** Sends it again as approved. @returns the refusal, or null */
export function sendAgain(order: Order): string | null {
  const refused = redisbursementRefused(order)
  if (refused === null) send(order)
  return refused
}

function redisbursementRefused(order: Order): string | null {
  if (order.status !== 31) return 'O-STATE'
  return isUnclear(order) || order.attempts >= TERMS.maxAttempts ? 'O-RULE' : null
}

/** A vendor that says the same again says nothing. */
export function contradictPayout(
  order: Order,
  { attempt, result }: Extract<Action, { kind: 'contradictPayout' }>,
): string {
  const transfer = transferOf(order, attempt)
  if (transfer.state !== result && transfer.result !== result)
    Object.assign(transfer, { result, outcome: 'open' })
  return 'ok'
}

export function requestResolution(
  order: Order,
  { attempt, type }: Extract<Action, { kind: 'resolve' }>,
): string {
  const transfer = transferOf(order, attempt)
  if (transfer.outcome !== 'open') return 'O-RULE'
  const kind = type === 'paid' ? 'transferPaid' : 'transferNotPaid'
  return addRequest(order, kind, null, { transfer })
}

/** @returns the refusal, or null */
export function resolve(
  portfolio: Portfolio,
  order: Order,
  transfer: Transfer,
  outcome: 'paid' | 'notPaid',
): string | null {
  if (transfer.outcome !== 'open') return 'O-RULE'
  if (outcome === 'paid') payAfterAll(portfolio, order, transfer)
  transfer.outcome = outcome
  return null
}

export function requestReturn(
  order: Order,
  { attempt, amount }: Extract<Action, { kind: 'returnStray' }>,
): string {
  const transfer = transferOf(order, attempt)
  if (transfer.stray === 0) return 'O-RULE'
  if (amount > transfer.stray) return 'G-FIELD'
  return addRequest(order, 'strayReturned', null, { transfer, returned: amount })
}

/** Money left with an attempt that was called failed: it opens the loan, or left beside it. */
function payAfterAll(portfolio: Portfolio, order: Order, transfer: Transfer): void {
  if (transfer.state === 'success') return
  const other = order.transfers.find(({ state }) => state === 'inProgress')
  if (other !== undefined) other.state = 'fail'
  else if (order.status !== 31) {
    transfer.stray = payoutOf(order)
    return
  }
  transfer.state = 'success'
  lend(portfolio, order)
}

function lend({ today }: Portfolio, order: Order): void {
  const { periods, daysPerPeriod, dailyRate } = TERMS
  const interest = portion(order.amount, dailyRate * periods * daysPerPeriod, 10_000)
  const split = (amount: number, n: number) =>
    Math.floor(amount / periods) + (n < amount % periods ? 1 : 0)
  order.status = 30
  order.disbursedOn = today
  order.plans = Array.from({ length: periods }, (_, n) => {
    const due = today + (n + 1) * daysPerPeriod
    return newPlan(due, { principal: split(order.amount, n), interest: split(interest, n) })
  })
}

function send(order: Order): void {
  order.status = 29
  order.attempts += 1
  const { attempts: attempt } = order
  order.transfers.push({ attempt, state: 'inProgress', result: null, outcome: null, stray: 0 })
}

/** Paise that leave: the amount without the service fee. */
function payoutOf({ amount }: Order): number {
  return amount - portion(amount, TERMS.serviceRate, 10_000)
}

function transferOf({ transfers }: Order, attempt: number): Transfer {
  return transfers.find((one) => one.attempt === attempt) as Transfer
}

/** Money may have left with an attempt, so nothing more is paid out. */
function isUnclear({ transfers }: Order): boolean {
  return transfers.some(
    ({ state, outcome }) => state !== 'fail' || outcome === 'open' || outcome === 'paid',
  )
}
