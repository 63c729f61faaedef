/** Orders and payouts on a person's home page. */
import { sql } from 'kysely'
import { countRows, goalOf, type HomePart } from '#gateway/manage/features/home/public.ts'
import { WAITS_FOR } from './disbursement/failed-payout.ts'
import { IS_LOAN, LAST_TRANSFER } from './disbursement/loan-queries.ts'
import { ordersInScope } from './order-scope.ts'

const FAILED = '/order_management/wait_relent'

export const ORDERS_HOME: HomePart = {
  next: (actor) =>
    actor.rights.permissions.has('wait_relent:redisburse')
      ? [
          {
            key: 'payoutFailed',
            count: countRows(sql`loan_order o join ${LAST_TRANSFER} on true
              where ${ordersInScope(actor)} and o.status = 31 and ${WAITS_FOR} = 'staff'`),
            time: sql`null`,
            target: `${FAILED}?waitsFor=staff`,
          },
        ]
      : [],
  figures: (actor) =>
    actor.rights.permissions.has('loan_list:export')
      ? [
          {
            key: 'disbursedToday',
            rows: sql`loan_order o where ${ordersInScope(actor)} and ${IS_LOAN}`,
            at: 'o.disbursed_at',
            amount: sql`o.amount`,
            goal: goalOf('home.disbursedPerDay', sql`100`),
            target: '/order_management/loan_list?disburseTimeFrom={today}&disburseTimeTo={today}',
          },
          {
            key: 'applicationsToday',
            rows: sql`loan_order o where ${ordersInScope(actor)} and o.from_order_id is null`,
            at: 'o.created_at',
            target: '/order_management/order_list?createTimeFrom={today}&createTimeTo={today}',
          },
          {
            key: 'payoutFailRate',
            rows: sql`payout_transfer x join loan_order o on o.id = x.order_id
              where ${ordersInScope(actor)} and x.pay_state in ('success', 'fail')`,
            at: 'x.finished_at',
            amount: sql`case when x.pay_state = 'fail' then 10000 else 0 end`,
            target: FAILED,
          },
        ]
      : [],
  arrivals: (actor) =>
    actor.rights.permissions.has('wait_relent:redisburse')
      ? [
          {
            key: 'payoutsFailed',
            rows: sql`payout_transfer x join loan_order o on o.id = x.order_id
              where ${ordersInScope(actor)} and x.pay_state = 'fail'`,
            at: 'x.finished_at',
            target: FAILED,
          },
        ]
      : [],
}
