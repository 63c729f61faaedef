/**
 * TeleRow as JSON built by PostgreSQL, over `tele_task t` and its joins. The telephone number is
 * masked here; times are ISO 8601 UTC with milliseconds.
 */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { TeleRow as TeleRowSchema } from '#shared/telemarketing/tele-api.ts'
import { isoText } from '#gateway/manage/kernel/list-parts.ts'

export type TeleRow = Static<typeof TeleRowSchema>

/** IST days since the loss. */
export const LOSS_DAYS = '(ist_day(clock_timestamp()) - ist_day(t.loss_at))'

/** JSON name → SQL. */
const FIELDS = {
  taskId: 't.id',
  userId: 't.customer_id',
  userName: 'c.name',
  phone: "'XXXXXX' || c.phone_last4",
  segment: 't.segment',
  state: 't.state',
  lossTime: isoText('t.loss_at'),
  lossDays: LOSS_DAYS,
  lastStep: `case
    when exists (select 1 from bank_card b where b.customer_id = t.customer_id) then 'bankAccount'
    when exists (select 1 from customer_photo f where f.customer_id = t.customer_id) then 'photos'
    when c.pan_h is not null then 'identity' else 'registered' end`,
  assigneeId: 't.assignee_id',
  assigneeName: 't.assignee_name',
  followCount: 't.follow_count',
  lastResult: 't.last_result',
  lastFollowTime: isoText('t.last_follow_at'),
  nextFollowTime: isoText('t.next_follow_at'),
  converted: "(t.state = 'converted')",
  convertTime: `case when t.state = 'converted' then ${isoText('t.closed_at')} end`,
  closeCause: 't.close_cause',
  appName: 'a.name',
  channelName: 'h.name',
  registerTime: isoText('c.registered_at'),
  entryCount: 'c.entry_count',
  finalLimit: 'g.final_limit',
  creditTime: isoText('g.created_at'),
  limitValidUntil: 'g.valid_until::text',
  lastOrderId: 't.order_id',
  lastAmount: 'o.amount',
  settledTime: isoText('o.closed_at'),
  settlementCount: 'c.settlement_count',
  maxOverdueDays: `coalesce((select max(z.overdue_days) from loan_order z
    where z.customer_id = t.customer_id), 0)`,
  failReason: 'o.fail_reason',
  attemptNo: `coalesce((select max(p.attempt_no) from payout_transfer p
    where p.order_id = t.order_id), 0)`,
  handlingMethod: `(select p.handling_method from payout_transfer p
    where p.order_id = t.order_id order by p.attempt_no desc limit 1)`,
  bindState: `(select b.bind_state from bank_card b
    where b.customer_id = t.customer_id and b.active)`,
  couponName: `(select k.name from coupon_grant u join coupon k on k.id = u.coupon_id
    where u.customer_id = t.customer_id and u.state = 'unused' order by u.granted_at desc limit 1)`,
  nodeId: 't.node_id',
  nodeName: '(select n.name from marketing_node n where n.id = t.node_id)',
  taskType: '(select n.type from marketing_node n where n.id = t.node_id)',
  heldUntil: `case when t.held_until > clock_timestamp() then ${isoText('t.held_until')} end`,
  leaseUntil: isoText('least(t.idle_until, t.live_until)'),
  token: 't.token',
  version: 't.version',
} as const satisfies Record<keyof TeleRow, string>

export const TELE_JSON = sql.raw<TeleRow>(
  `json_build_object(${Object.entries(FIELDS)
    .map(([name, column]) => `'${name}', ${column}`)
    .join(', ')})`,
)

/** Columns of `tele_task t` that TELE_JSON and its joins read, for `returning`. */
export const ROW_COLUMNS = sql.raw(
  [
    ...new Set(
      Object.values(FIELDS).flatMap((column) => [...column.matchAll(/\bt\.\w+/g)].map((m) => m[0])),
    ),
  ].join(', '),
)

export const ROW_JOINS = sql.raw(`
  join customer c on c.id = t.customer_id
  join app a on a.id = c.app_id
  join channel h on h.id = c.channel_id
  left join loan_order o on o.id = t.order_id
  left join lateral (select q.final_limit, q.created_at, q.valid_until from credit_grant q
    where q.customer_id = t.customer_id and q.state = 'passed'
    order by q.created_at desc, q.id desc limit 1) g on true`)
