import { type RawBuilder, sql } from 'kysely'
import type { customerOptions, listCustomers } from '#shared/customers/customer-list-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  likeStart,
  onePage,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { APP_OPTIONS, CHANNEL_OPTIONS } from '#gateway/manage/features/products/public.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import { customerInScope } from '../customer-scope.ts'

const SORTS: Sorts = {
  userId: notNull('c.id'),
  registerTime: notNull('c.registered_at'),
}

/**
 * The same as expressions that no index has, for the customers of a name: they are found by their
 * name and then sorted. In the order of an index the planner may walk past everybody who came later
 * to the few of that name (1.1 s among 100,000, where the index by name takes 5 ms).
 */
const SORTS_OF_NAMED: Sorts = {
  userId: notNull(`(c.id || '')`),
  registerTime: notNull(`(c.registered_at + interval '0')`),
}

/** The newest grant decides; customers without any grant are still pending. */
const NEWEST_GRANT = sql`
  left join lateral (select g.state, g.final_limit from credit_grant g where g.customer_id = c.id
    order by g.created_at desc limit 1) g on true`

const ROW = sql`json_build_object(
  'userId', c.id, 'name', c.name, 'panName', c.pan_name, 'phone', 'XXXXXX' || c.phone_last4, 'channelId',
    c.channel_id, 'channelName', h.name, 'appId', c.app_id, 'appName', a.name, 'customerClass',
    c.customer_class,
  'certified', c.certified, 'creditState', coalesce(g.state, 'toCredit'), 'finalLimit', g.final_limit,
    'entryCount', c.entry_count, 'orderCount', (select count(*)::int from loan_order o
    where o.customer_id = c.id),
  'settlementCount', c.settlement_count, 'blacklisted', c.blacklisted,
  'couponNames', coalesce((select json_agg(k.name order by cg.granted_at) from coupon_grant cg
    join coupon k on k.id = cg.coupon_id where cg.customer_id = c.id and cg.state = 'unused'), '[]'),
  'registerTime',
    ${isoTime('c.registered_at')}, 'lastActiveTime', ${isoTime('c.last_active_at')}, 'version', c.version)`

/**
 * A page in one statement; newest first unless sorted.
 * @throws Problem G-FIELD for an unsupported sort field
 */
export async function customerList(
  db: Db,
  secrets: Secrets,
  actor: StaffActor,
  input: InputOf<typeof listCustomers>,
): Promise<JsonText> {
  const where = sql`${customerInScope(actor)} and ${filters(input, secrets)}`
  const sorts = input.name === undefined ? SORTS : SORTS_OF_NAMED
  const order = sortOf(input.sort, sorts, 'registerTime:desc', 'c.id desc')
  return onePage(db, {
    from: 'customer c',
    where,
    order,
    row: ROW,
    joins: sql`join channel h on h.id = c.channel_id join app a on a.id = c.app_id ${NEWEST_GRANT}`,
    input,
  })
}

function filters(input: InputOf<typeof listCustomers>, secrets: Secrets): RawBuilder<unknown> {
  const { all, add } = filterClauses()
  add(input.userId, (id) => sql`c.id = ${id}`)
  add(input.name, (name) => sql`lower(c.name) like ${likeStart(name)}`)
  // one index lookup per app: the index starts with the app
  add(
    input.phone,
    (phone) =>
      sql`
        c.id in (select x.id from app y join customer x on x.app_id = y.id
          where x.phone_h = ${secrets.blindIndex('phone', phone)})`,
  )
  add(input.pan, (pan) => sql`c.pan_h = ${secrets.blindIndex('pan', pan)}`)
  // includes replaced accounts: the search asks who ever used the account
  add(
    input.account,
    (account) =>
      sql`
        c.id in (select b.customer_id from bank_card b
          where b.account_h = ${secrets.blindIndex('account', account)})`,
  )
  add(input.aadhaarLast4, (last4) => sql`c.aadhaar_last4 = ${last4}`)
  add(input.channelId, (id) => sql`c.channel_id = ${id}`)
  add(input.appId, (id) => sql`c.app_id = ${id}`)
  add(input.customerClass, (name) => sql`c.customer_class = ${name}`)
  add(input.certified, (yes) => sql`c.certified = ${yes}`)
  // whose latest grant has this state; those without one wait for credit
  add(input.creditState, (state) => {
    const latest = sql`coalesce((select g.state from credit_grant g where g.customer_id = c.id
      order by g.created_at desc limit 1), 'toCredit') = ${state}`
    return state === 'toCredit'
      ? latest
      : sql`c.id in (select x.customer_id from credit_grant x where x.state = ${state}) and ${latest}`
  })
  add(input.blacklisted, (yes) => sql`c.blacklisted = ${yes}`)
  add(input.registerTimeFrom, (time) => sql`c.registered_at >= ${time}::timestamptz`)
  add(input.registerTimeTo, (time) => sql`c.registered_at <= ${time}::timestamptz`)
  return allOf(all)
}

/** Options of the filters: all of them, because customers of closed channels remain. */
export async function findCustomerOptions(db: Db): Promise<DataOf<typeof customerOptions>> {
  const { rows } = await sql<DataOf<typeof customerOptions>>`
    select ${APP_OPTIONS} as apps, ${CHANNEL_OPTIONS} as channels`.execute(db)
  return rows[0] as DataOf<typeof customerOptions>
}
