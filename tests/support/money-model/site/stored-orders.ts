/** What the tables hold of the borrowers' newest orders, in the terms of the model. */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'
import type { Plan } from '../loan/loan.ts'

type StoredPlan = Pick<Plan, 'principal' | 'interest' | 'fine' | 'paid' | 'waived' | 'reduced'>

/** State of a borrower's newest order. */
export interface Stored {
  status: number
  outstanding: number
  overdueDays: number
  plans: StoredPlan[]
  payments: { state: string; surplus: number; reversed: boolean; contradicted: boolean }[]
  transfers: { state: string; outcome: string | null; stray: number }[]
  settlements: string[]
  reduction: string | null
  requests: string[]
  /** Of the borrower, in the order they were given. */
  coupons: { state: string; amount: number }[]
}

/** What a screen also knows and sends with an action. */
export interface Known {
  orderId: string
  version: number
  reviewId: string
  reviewVersion: number
  planId: string | null
  payments: { id: string; version: number }[]
  reduction: { id: string; version: number } | null
  requests: { id: string; version: number }[]
  transfers: { id: string; version: number }[]
  coupons: { id: string }[]
}

type Decided = Known['requests'][number] & { state: string }

/** One row for both. */
interface Row extends Omit<Stored & Known, 'reduction' | 'requests'> {
  reduction: Decided | null
  requests: Decided[]
}

/** @returns per order what the model compares, and what a screen knows; null without an order */
export async function readOrders(
  database: Database,
  orderIds: readonly (string | null)[],
): Promise<({ stored: Stored; known: Known } | null)[]> {
  const { rows } = await sql<Row>`
    select o.id as "orderId", o.status, o.outstanding, o.overdue_days as "overdueDays", o.version,
      v.id as "reviewId", v.version as "reviewVersion",
      (select p.id from repay_plan p where p.order_id = o.id order by p.serial_no limit 1) as "planId",
      (select coalesce(json_agg(json_build_object('principal', p.open_principal, 'interest',
        p.open_interest, 'fine', p.open_fine, 'paid', p.paid_amount, 'waived', p.waived, 'reduced',
        p.reduced_fees) order by p.serial_no), '[]') from repay_plan p where p.order_id = o.id) as plans,
      (select coalesce(json_agg(json_build_object('state', r.pay_state, 'surplus', r.surplus, 'reversed',
        r.reversed_at is not null, 'contradicted', r.conflict_at is not null
        and r.conflict_ended_at is null, 'id', r.id, 'version', r.version) order by r.created_at, r.id), '[]')
        from repay_record r where r.order_id = o.id) as payments,
      (select json_build_object('state', d.state, 'id', d.id, 'version', d.version) from reduction d
        where d.order_id = o.id order by d.launched_at desc, d.id desc limit 1) as reduction,
      (select coalesce(json_agg(json_build_object('state', a.state, 'id', a.id, 'version', a.version)
        order by a.requested_at, a.id), '[]') from approval a
        where a.target_id = o.id or a.target_id in (select r.id from repay_record r
          where r.order_id = o.id union all select t.id from payout_transfer t where t.order_id = o.id)
          or (a.kind = 'batchWriteOff'
          and a.payload -> 'orderIds' ? o.id)) as requests,
      (select coalesce(json_agg(json_build_object('state', t.pay_state, 'outcome', case
        when t.conflict is not null and t.conflict_ended_at is null then 'open'
        else t.conflict_outcome end, 'stray', t.stray_open, 'id', t.id, 'version', t.version)
        order by t.attempt_no), '[]') from payout_transfer t where t.order_id = o.id) as transfers,
      (select coalesce(json_agg(s.state order by s.started_at), '[]') from settlement_plan s
        where s.order_id = o.id) as settlements,
      (select coalesce(json_agg(json_build_object('state', g.state, 'amount', g.amount, 'id', g.id)
        order by g.id), '[]') from coupon_grant g where g.customer_id = o.customer_id) as coupons
    from loan_order o left join review v on v.order_id = o.id
      where o.id = any(${orderIds.filter((id) => id !== null)}::text[])`.execute(database.kysely)
  const byId = new Map(rows.map((row) => [row.orderId, row]))
  return orderIds.map((id) => {
    const row = id === null ? undefined : byId.get(id)
    return row === undefined ? null : { stored: storedOf(row), known: row }
  })
}

function storedOf(row: Row): Stored {
  return {
    status: row.status,
    outstanding: row.outstanding,
    overdueDays: row.overdueDays,
    plans: row.plans,
    payments: row.payments.map(({ state, surplus, reversed, contradicted }) => ({
      state,
      surplus,
      reversed,
      contradicted,
    })),
    transfers: row.transfers.map(({ state, outcome, stray }) => ({ state, outcome, stray })),
    settlements: row.settlements,
    reduction: row.reduction?.state ?? null,
    coupons: row.coupons.map(({ state, amount }) => ({ state, amount })),
    requests: row.requests.map(({ state }) => state),
  }
}
