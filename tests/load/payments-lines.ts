/** Payments through the edge as the payment channel tells of them, against a bare transaction that writes as many rows. */
import type { BarePayments } from './children/bare-payments.ts'
import type { CallersResult } from './children/callers.ts'
import type { PaymentLoad } from './children/payment-load.ts'
import { median, medianRatio, takeTurns } from './measure.ts'
import type { Bench } from './stage.ts'
import { type Line, short } from './table.ts'

const ROUNDS = 4
const ROUND_MS = 3_000
const WARM_MS = 12_000
const CALLERS = 16

/** What one payment writes beside its own row, its order and its instalment. */
export interface RowsOfPayment {
  /** Steps of the order's status. */
  steps: number
  ledger: number
  events: number
  log: number
}

export async function paymentLines({ book, edgeUrl, manage, start }: Bench): Promise<Line[]> {
  const channel = await manage.ask<{ keyId: string; secret: string; orderIds: string[] }>(
    'paymentChannel',
  )
  const bare = await start('bare-payments', book.bare)
  const load = await start('payment-load')
  const run = async (ms: number): Promise<CallersResult> => {
    const result = await load.ask<CallersResult>('run', {
      ...channel,
      url: edgeUrl,
      callers: CALLERS,
      ms,
    } satisfies PaymentLoad)
    if (result.refused.count > 0)
      throw new Error(
        `${result.refused.count} payments were refused, the first: ${result.refused.first}`,
      )
    return result
  }
  const before = await manage.ask<RowsOfPayment>('rowsOfPayments')
  const { ok } = await run(WARM_MS)
  const after = await manage.ask<RowsOfPayment>('rowsOfPayments')
  const each = (name: keyof RowsOfPayment): number => Math.round((after[name] - before[name]) / ok)
  const rows: RowsOfPayment = {
    steps: each('steps'),
    ledger: each('ledger'),
    events: each('events'),
    log: each('log'),
  }
  const transactions = (ms: number): Promise<BarePayments> =>
    bare.ask<BarePayments>('run', { orderIds: channel.orderIds, callers: CALLERS, ms, rows })
  await transactions(1_500)
  const { a, b } = await takeTurns(
    ROUNDS,
    () => run(ROUND_MS),
    () => transactions(ROUND_MS),
  )
  await bare.stop()
  await load.stop()
  const ratio = medianRatio(
    a.map((r) => r.perSecond),
    b.map((r) => r.perSecond),
  )
  return [
    {
      what: `payments booked, ${rows.ledger} ledger entries, ${rows.events} events each, ${CALLERS} callers (${book.engine})`,
      ratio,
      target: '≥ 0.4×',
      pass: ratio >= 0.4,
      product: `${short(median(a.map((r) => r.perSecond)))}/s, p99 ${short(median(a.map((r) => r.latencyMs.p99)))} ms`,
      baseline: `${short(median(b.map((r) => r.perSecond)))} bare transactions/s, p99 ${short(median(b.map((r) => r.latencyMs.p99)))} ms`,
    },
  ]
}
