/** Loans that were paid off and the next loan of each, by plain arithmetic. */
import { sql } from 'kysely'
import { addDays, daysBetween, istDay } from '#shared/kernel/time.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import type { BookOrder } from './report-book.ts'
import { add, rate, TODAY } from './report-counts.ts'

export interface Settled {
  day: string
  channelId: string
  loanNo: number
  /** Days until the next loan of the customer was paid out; null = there is none. */
  days: number | null
  nextAmount: number
  limitBefore: number
  limitAfter: number
}

export async function readSettled({ kysely: db }: Database): Promise<Settled[]> {
  const { rows: orders } = await sql<{
    id: string
    customerId: string
    channelId: string
    status: number
    amount: number
    isExtension: boolean
    closedAt: string | null
    paidOutAt: string | null
    disbursedAt: string | null
  }>`
    select o.id, o.customer_id as "customerId", o.channel_id as "channelId", o.status, o.amount,
      o.from_order_id is not null as "isExtension", o.closed_at::text as "closedAt",
      o.disbursed_at::text as "disbursedAt",
      (select l.at::text from order_status_log l where l.order_id = o.id and l.from_status = 29
        and l.to_status = 30 limit 1) as "paidOutAt"
    from loan_order o`.execute(db)
  const { rows: grants } = await sql<{ customerId: string; limit: number; at: string }>`
    select g.customer_id as "customerId", g.final_limit as "limit", g.created_at::text as at
    from credit_grant g where g.state = 'passed'
    order by g.created_at`.execute(db)
  const time = (at: string | null) => (at === null ? Number.NaN : Date.parse(at))
  const limitAt = (customerId: string, at: number) =>
    grants.findLast((one) => one.customerId === customerId && time(one.at) <= at)?.limit ?? 0
  return orders
    .filter(({ status, closedAt }) => (status === 40 || status === 41) && closedAt !== null)
    .map(({ customerId, channelId, closedAt }) => {
      const own = orders.filter((one) => one.customerId === customerId && !one.isExtension)
      const closed = time(closedAt)
      const [next] = own
        .filter(({ paidOutAt }) => time(paidOutAt) >= closed)
        .toSorted((a, b) => time(a.paidOutAt) - time(b.paidOutAt))
      const before = own.filter(({ disbursedAt }) => time(disbursedAt) <= closed).length
      const day = istDay(closedAt ?? '')
      return {
        day,
        channelId,
        loanNo: Math.min(5, Math.max(1, before)),
        days: next === undefined ? null : daysBetween(day, istDay(next.paidOutAt ?? '')),
        nextAmount: next?.amount ?? 0,
        limitBefore: limitAt(customerId, closed),
        limitAfter: next === undefined ? 0 : limitAt(customerId, time(next.paidOutAt)),
      }
    })
}

/** @param isSum younger loans and due days are left out of the shares */
export function countReloan(
  settled: readonly Settled[],
  orders: readonly BookOrder[],
  isIn: (one: Settled) => boolean,
  isDue: (day: string) => boolean,
  isSum: boolean,
) {
  const own = settled.filter(isIn)
  const isAgain = (one: Settled, days: number) => one.days !== null && one.days <= days
  const again = (days: number) => own.filter((one) => isAgain(one, days)).length
  const share = (days: number) => {
    const old = own.filter(({ day }) => !isSum || addDays(day, days) < TODAY)
    return rate(old.filter((one) => isAgain(one, days)).length, old.length)
  }
  const soon = own.filter((one) => isAgain(one, 30))
  const limited = soon.filter(({ limitBefore, limitAfter }) => limitBefore > 0 && limitAfter > 0)
  const firsts = orders
    .filter(({ tags }) => tags.includes('reLoan') && !tags.includes('extension'))
    .flatMap(({ plans }) => plans.filter(({ serialNo, dueDay }) => serialNo === 1 && isDue(dueDay)))
    .filter(({ dueDay }) => !isSum || addDays(dueDay, 7) < TODAY)
  const unpaid = firsts.filter(
    ({ status, settledOn, dueDay }) =>
      !(status === 'paid' && settledOn !== null && settledOn <= addDays(dueDay, 7)),
  )
  const before = add(limited, ({ limitBefore }) => limitBefore)
  const growth = add(limited, ({ limitAfter }) => limitAfter) - before
  return {
    settledLoans: own.length,
    reborrowed1: again(1),
    reloanRate1: share(1),
    reborrowed3: again(3),
    reloanRate3: share(3),
    reborrowed7: again(7),
    reloanRate7: share(7),
    reborrowed15: again(15),
    reloanRate15: share(15),
    reborrowed30: again(30),
    reloanRate30: share(30),
    reloanAmount: add(soon, ({ nextAmount }) => nextAmount),
    limitRise: before === 0 ? null : Math.sign(growth) * (rate(Math.abs(growth), before) ?? 0) + 0,
    reloanOverdueRate: rate(unpaid.length, firsts.length),
  }
}
