import { type RawBuilder, sql } from 'kysely'
import { total } from './report-parts.ts'

/** Sums of applications and payouts in `report_order_day`, by the names of the measures. */
export function orderSums(): Record<string, RawBuilder<unknown>> {
  const passed = ['auto_passed', 'manual_passed']
  return {
    applications: total('applications'),
    approved: total(passed),
    autoPassed: total('auto_passed'),
    autoFailed: total('auto_failed'),
    undecided: total('undecided'),
    limitFailed: total('limit_failed'),
    manualPassed: total('manual_passed'),
    manualFailed: total('manual_failed'),
    decided: total([...passed, 'auto_failed', 'limit_failed', 'manual_failed']),
    disbursed: total('disbursed'),
    disbursedAmount: total('disbursed_amount'),
    firstLoans: total('disbursed', sql`t.tag = 'firstLoan'`),
    reLoans: total('disbursed', sql`t.tag = 'reLoan'`),
    transfers: total('attempts'),
    failedTransfers: total('failed_attempts'),
  }
}
