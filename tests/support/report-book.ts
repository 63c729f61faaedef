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
  /** Of its newest collection case. */
  departmentId: string | null
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
  /** Movements of principal, interest and service fee; positive = the debt falls. */
  entries: { kind: string; amount: number; on: string }[]
}
export interface BookCustomer {
  id: string
  appId: string
  channelId: string
  registeredOn: string
  certified: boolean
  customerClass: string
  campaign: string | null
  registeredAt: number
  hasIdCheck: boolean
  photoKinds: number
  contacts: number
  hasCard: boolean
  hasCredit: boolean
}
export interface Book {
  orders: BookOrder[]
  customers: BookCustomer[]
}

export async function readBook({ kysely: db }: Database): Promise<Book> {
  const { rows: customers } = await sql<
    Omit<BookCustomer, 'registeredOn' | 'registeredAt'> & { at: string }
  >`
    select c.id, c.app_id as "appId", c.channel_id as "channelId", c.certified,
      c.registered_at::text as at, c.customer_class as "customerClass", c.campaign,
      coalesce(k.verify_state = 'passed' and k.pan_state = 'passed', false) as "hasIdCheck",
      (select count(distinct f.kind)::int from customer_photo f where f.customer_id = c.id) as "photoKinds",
      (select count(*)::int from customer_contact p where p.customer_id = c.id) as contacts,
      exists (select from bank_card b
        where b.customer_id = c.id and b.active and b.bind_state = 'bound') as "hasCard",
      exists (select from credit_grant g
        where g.customer_id = c.id and g.state = 'passed') as "hasCredit"
    from customer c
    left join customer_kyc k on k.customer_id = c.id`.execute(db)
  const { rows: orders } = await sql<
    Omit<BookOrder, 'createdOn' | 'steps' | 'transfers' | 'plans'> & { at: string }
  >`
    select o.id, o.customer_id as "customerId", o.app_id as "appId", o.channel_id as "channelId",
      o.product_id as "productId", o.amount, o.tags, o.from_order_id as "fromOrderId",
      o.created_at::text as at,
      (select k.department_id from collection_case k where k.order_id = o.id
        order by k.created_at desc, k.id desc limit 1) as "departmentId"
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
  const entries = await byOrder<{
    planId: string
    kind: string
    amount: number
    day: string
    paid: string | null
  }>(
    db,
    sql`select e.order_id, e.plan_id as "planId", e.kind, e.credit - e.debit as amount,
        e.biz_date::text as day, r.paid_at::text as paid
      from ledger_entry e
      left join repay_record r on r.id = e.ref_id
      where e.plan_id is not null and e.account in
        ('principalReceivable', 'doubtfulPrincipal', 'interestReceivable', 'serviceReceivable')`,
  )
  const plans = await byOrder<Omit<BookPlan, 'settledOn' | 'entries'> & { at: string | null }>(
    db,
    sql`select p.order_id, p.id, p.serial_no as "serialNo", p.due_at::text as "dueDay",
        p.principal + p.interest + p.service_fee as amount, p.payment_status as status,
        p.actual_repayment_at::text as at, p.outstanding, p.open_fine as "openFine"
      from repay_plan p where p.kind = 'instalment' and (p.principal > 0 or p.interest > 0)`,
  )
  return {
    customers: customers.map(({ at, ...customer }) => ({
      ...customer,
      registeredOn: istDay(at),
      registeredAt: Date.parse(at),
    })),
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
        entries: (entries.get(order.id) ?? [])
          .filter(({ planId }) => planId === plan.id)
          .map(({ kind, amount, day, paid }) => ({
            kind,
            amount,
            on: paid === null ? day : istDay(paid),
          })),
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
