/** The whole book in memory, for figures that a test counts by its own arithmetic. */
import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import type { Database } from '#gateway/manage/db/client.ts'

export interface BookOrder {
  id: string
  customerId: string
  appId: string
  channelId: string
  productId: string
  amount: number
  tags: string[]
  fromOrderId: string | null
  createdOn: string
  /** In the order they were written. */
  steps: { from: number | null; to: number; on: string }[]
  transfers: { state: string; endedOn: string | null }[]
  plans: BookPlan[]
}
export interface BookPlan {
  id: string
  serialNo: number
  dueDay: string
  /** Principal, interest and service fee. */
  amount: number
  status: string
  settledOn: string | null
  outstanding: number
  openFine: number
}
export interface BookCustomer {
  id: string
  appId: string
  channelId: string
  registeredOn: string
  certified: boolean
}
export interface Book {
  orders: BookOrder[]
  customers: BookCustomer[]
}

export async function readBook({ kysely: db }: Database): Promise<Book> {
  const { rows: customers } = await sql<Omit<BookCustomer, 'registeredOn'> & { at: string }>`
    select c.id, c.app_id as "appId", c.channel_id as "channelId", c.certified,
      c.registered_at::text as at
    from customer c`.execute(db)
  const { rows: orders } = await sql<
    Omit<BookOrder, 'createdOn' | 'steps' | 'transfers' | 'plans'> & { at: string }
  >`
    select o.id, o.customer_id as "customerId", o.app_id as "appId", o.channel_id as "channelId",
      o.product_id as "productId", o.amount, o.tags, o.from_order_id as "fromOrderId",
      o.created_at::text as at
    from loan_order o`.execute(db)
  const steps = await byOrder<{ from: number | null; to: number; at: string }>(
    db,
    sql`select l.order_id, l.from_status as "from", l.to_status as "to", l.at::text as at
      from order_status_log l order by l.id`,
  )
  const transfers = await byOrder<{ state: string; at: string | null }>(
    db,
    sql`select t.order_id, t.pay_state as state, t.finished_at::text as at from payout_transfer t`,
  )
  const plans = await byOrder<Omit<BookPlan, 'settledOn'> & { at: string | null }>(
    db,
    sql`select p.order_id, p.id, p.serial_no as "serialNo", p.due_at::text as "dueDay",
        p.principal + p.interest + p.service_fee as amount, p.payment_status as status,
        p.actual_repayment_at::text as at, p.outstanding, p.open_fine as "openFine"
      from repay_plan p`,
  )
  return {
    customers: customers.map(({ at, ...customer }) => ({ ...customer, registeredOn: istDay(at) })),
    orders: orders.map(({ at, ...order }) => ({
      ...order,
      createdOn: istDay(at),
      steps: (steps.get(order.id) ?? []).map((step) => ({ ...step, on: istDay(step.at) })),
      transfers: (transfers.get(order.id) ?? []).map((one) => ({
        state: one.state,
        endedOn: one.at === null ? null : istDay(one.at),
      })),
      plans: (plans.get(order.id) ?? []).map(({ at: settled, ...plan }) => ({
        ...plan,
        settledOn: settled === null ? null : istDay(settled),
      })),
    })),
  }
}

async function byOrder<T>(
  db: Database['kysely'],
  query: ReturnType<typeof sql>,
): Promise<Map<string, T[]>> {
  const { rows } = await query.execute(db)
  const found = new Map<string, T[]>()
  for (const row of rows as (T & { order_id: string })[]) {
    const list = found.get(row.order_id) ?? []
    list.push(row)
    found.set(row.order_id, list)
  }
  return found
}
