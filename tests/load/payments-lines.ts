/**
 * Payments through the edge as the payment channel sends them, compared with a bare transaction
 * that writes as many rows.
 */
import type { BarePayments, RowsOfPayment } from './children/bare-payments.ts'
import type { CallersResult } from './children/callers.ts'
import type { PaymentLoad } from './children/payment-load.ts'
import { medianRatio, takeTurns } from './measure.ts'
import type { Bench } from './stage.ts'
import { type Line, medianText } from './table.ts'

const ROUNDS = 4
const ROUND_MS = 3_000
const WARM_MS = 12_000
const CALLERS = 16

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
      what:
        `payments booked, ${rows.ledger} ledger entries, ${rows.events} events each, ` +
        `${CALLERS} callers (${book.engine})`,
      ratio,
      target: '≥ 0.6×',
      pass: ratio >= 0.6,
      product: `${medianText(a, (r) => r.perSecond)}/s, p99 ${medianText(a, (r) => r.latencyMs.p99)} ms`,
      baseline:
        `${medianText(b, (r) => r.perSecond)} bare transactions/s, ` +
        `p99 ${medianText(b, (r) => r.latencyMs.p99)} ms`,
    },
  ]
}
