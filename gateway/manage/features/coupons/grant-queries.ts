/** What customers hold of coupons, as contract rows. */
import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { listGrants } from '#shared/coupons/coupons-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  allOf,
  filterClauses,
  isoText,
  notNull,
  onePage,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import { customerInScope } from '#gateway/manage/features/customers/public.ts'

/** The validity ends with its last IST day. */
const ROW: RawBuilder<unknown> = sql.raw(`json_build_object(
  'grantId', g.id, 'couponId', g.coupon_id, 'couponName', k.name, 'type', k.type,
  'amountType', g.terms ->> 'amountType', 'preferentialType', g.preferential_type,
  'discountAmount', (g.terms ->> 'discountAmount')::bigint, 'rate', (g.terms ->> 'rate')::int,
  'ratio', (g.terms ->> 'ratio')::int, 'minAmount', (g.terms ->> 'minAmount')::bigint,
  'userId', g.customer_id, 'userName', c.name, 'orderId', g.order_id, 'recordId', g.record_id,
  'state', g.state, 'source', g.source, 'grantTime', ${isoText('g.granted_at')},
  'grantBy', g.granted_by_name,
  'expireTime', ${isoText(`((g.valid_until + 1)::timestamp at time zone 'Asia/Kolkata' - interval '1 millisecond')`)},
  'useTime', ${isoText('g.used_at')}, 'amount', g.amount, 'revokeReason', g.revoke_reason,
  'version', g.version)`)

const SORTS = {
  grantTime: notNull('g.granted_at'),
  expireTime: notNull('g.valid_until'),
  useTime: 'g.used_at',
  amount: notNull('g.amount'),
}

export function grantList(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof listGrants>,
): Promise<JsonText> {
  const { all, add } = filterClauses()
  // an outside agency is shown what recovery needs, and no marketing
  if (actor.rights.isOutside) all.push(sql<boolean>`false`)
  if (actor.rights.scope !== 'all')
    add(
      actor,
      (caller) =>
        sql`g.customer_id in (select c.id from customer c where ${customerInScope(caller)})`,
    )
  add(input.grantId, (id) => sql`g.id = ${id}`)
  add(input.couponId, (id) => sql`g.coupon_id = ${id}`)
  add(input.userId, (id) => sql`g.customer_id = ${id}`)
  add(input.orderId, (id) => sql`g.order_id = ${id}`)
  add(input.recordId, (id) => sql`g.record_id = ${id}`)
  add(input.state, (state) => sql`g.state = ${state}`)
  add(input.source, (source) => sql`g.source = ${source}`)
  add(input.grantTimeFrom, (time) => sql`g.granted_at >= ${time}::timestamptz`)
  add(input.grantTimeTo, (time) => sql`g.granted_at <= ${time}::timestamptz`)
  return onePage(db, {
    from: 'coupon_grant g',
    where: allOf(all),
    order: sortOf(input.sort, SORTS, 'grantTime:desc', 'g.id'),
    row: ROW,
    joins: sql`join coupon k on k.id = g.coupon_id join customer c on c.id = g.customer_id`,
    input,
  })
}
