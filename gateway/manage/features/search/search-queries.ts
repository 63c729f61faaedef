/** Finds records by what people copy from messages: the beginning of an id, a phone, a PAN, a UTR (api.md 1). One statement over the kinds the caller has. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { MOST_FOUND, type RecordKind, type searchRecords } from '#shared/search/search-api.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { customerInScope } from '#gateway/manage/features/customers/public.ts'
import { casesInScope, ordersInScope, reviewsInScope, ticketsInScope } from '#gateway/manage/kernel/scope.ts'

type Found = DataOf<typeof searchRecords>['rows']

interface Kind {
  /** Letters its ids begin with; eight digits follow. */
  letters: string
  /** Menus whose holders may find it, the one its page is opened from first. */
  menus: readonly string[]
  route: (id: string, menu: string) => string
  /** Ids with the customer's name, newest first. */
  rows: (query: Query, by: By) => RawBuilder<unknown>
}

/** What the text may mean. */
interface By {
  /** First and last id that begins so. */
  ids: { from: string; to: string } | null
  /** Customers with this phone or PAN. */
  person: RawBuilder<unknown> | null
  /** Orders paid with this UTR. */
  utr: RawBuilder<unknown> | null
}

const DIGITS = 8
const PHONE = /^[6-9]\d{9}$/
const PAN = /^[A-Z]{5}\d{4}[A-Z]$/
const UTR = /^(?:\d{12}|[A-Z0-9]{16}|[A-Z0-9]{22})$/

const KINDS: Readonly<Record<RecordKind, Kind>> = {
  customer: {
    letters: 'C', menus: ['info'], route: (id) => `/customer_management/info?userId=${id}`,
    rows: ({ actor }, by) => sql`select 'customer' as kind, c.id, c.name as label from customer c
      where ${customerInScope(actor)} and ${either(by, sql`c.id`, sql`c.id`, null)} order by c.id desc limit ${MOST_FOUND}`,
  },
  order: {
    letters: 'L', menus: ['order_list'], route: (id, menu) => `/detail?orderId=${id}&from=${menu}`,
    rows: ({ actor }, by) => sql`select 'order' as kind, o.id, u.name as label from loan_order o join customer u on u.id = o.customer_id
      where ${ordersInScope(actor)} and ${either(by, sql`o.id`, sql`o.customer_id`, sql`o.id`)} order by o.id desc limit ${MOST_FOUND}`,
  },
  review: {
    letters: 'R', menus: ['review_list'], route: (id, menu) => `/detail2?reviewId=${id}&from=${menu}`,
    rows: ({ actor }, by) => sql`select 'review' as kind, r.id, u.name as label from review r join customer u on u.id = r.customer_id
      where ${reviewsInScope(actor)} and ${either(by, sql`r.id`, sql`r.customer_id`, sql`r.order_id`)} order by r.id desc limit ${MOST_FOUND}`,
  },
  case: {
    letters: 'CA', menus: ['pedding_list', 'peded_list'], route: (id, menu) => `/detail3?caseId=${id}&from=${menu}`,
    rows: ({ actor }, by) => sql`select 'case' as kind, c.id, u.name as label from collection_case c join customer u on u.id = c.customer_id
      where ${casesInScope(actor)} and ${either(by, sql`c.id`, sql`c.customer_id`, sql`c.order_id`)} order by c.id desc limit ${MOST_FOUND}`,
  },
  ticket: {
    letters: 'FB', menus: ['operation_ticket', 'loaned_ticket', 'user_feedback'], route: (id, menu) => `/detail4?feedbackId=${id}&from=${menu}`,
    rows: ({ actor }, by) => sql`select 'ticket' as kind, t.id, u.name as label from feedback t join customer u on u.id = t.customer_id
      where ${ticketsInScope(actor)} and ${either(by, sql`t.id`, sql`t.customer_id`, sql`t.order_id`)} order by t.id desc limit ${MOST_FOUND}`,
  },
}

export async function searchRecordsFor(query: Query, text: string): Promise<{ rows: Found }> {
  const wanted = text.trim().toUpperCase().replaceAll(' ', '')
  const { permissions } = query.actor.rights
  const person = personOf(query, wanted)
  const utr = UTR.test(wanted) ? sql`select y.order_id from repay_record y where y.utr = ${wanted} and y.pay_state <> 'fail' and y.reversed_at is null` : null
  const menuOf = new Map<string, string>()
  const parts: RawBuilder<unknown>[] = []
  for (const [name, kind] of Object.entries(KINDS)) {
    const menu = kind.menus.find((one) => permissions.has(`${one}:view`))
    const by: By = { ids: idsOf(kind.letters, wanted), person, utr }
    // money is an order's: a customer is not found by his UTR
    if (menu === undefined || (by.ids === null && person === null && (utr === null || name === 'customer'))) continue
    menuOf.set(name, menu)
    parts.push(sql`(${kind.rows(query, by)})`)
  }
  if (parts.length === 0) return { rows: [] }
  const { rows } = await sql<{ kind: RecordKind; id: string; label: string }>`select f.kind, f.id, f.label from (${sql.join(parts, sql` union all `)}) f limit ${MOST_FOUND}`.execute(query.db)
  return { rows: rows.map((row) => ({ ...row, route: KINDS[row.kind].route(row.id, menuOf.get(row.kind) as string) })) }
}

/** Ids have a fixed width, so those that begin so lie between two of them: an index answers in any collation. */
function idsOf(letters: string, wanted: string): By['ids'] {
  const digits = wanted.startsWith(letters) ? wanted.slice(letters.length) : wanted
  if (!/^\d{1,8}$/.test(digits)) return null
  return { from: letters + digits.padEnd(DIGITS, '0'), to: letters + digits.padEnd(DIGITS, '9') }
}

/** By keyed hash, so only the whole number finds him. */
function personOf({ house }: Query, wanted: string): RawBuilder<unknown> | null {
  if (PHONE.test(wanted)) return sql`select p.id from app a join customer p on p.app_id = a.id where p.phone_h = ${house.secrets.blindIndex('phone', wanted)}`
  return PAN.test(wanted) ? sql`select p.id from customer p where p.pan_h = ${house.secrets.blindIndex('pan', wanted)}` : null
}

function either({ ids, person, utr }: By, id: RawBuilder<unknown>, customer: RawBuilder<unknown>, order: RawBuilder<unknown> | null): RawBuilder<boolean> {
  const parts = [
    ...(ids ? [sql<boolean>`(${id} >= ${ids.from} and ${id} <= ${ids.to})`] : []),
    ...(person ? [sql<boolean>`${customer} in (${person})`] : []),
    ...(utr && order ? [sql<boolean>`${order} in (${utr})`] : []),
  ]
  return sql<boolean>`(${sql.join(parts, sql` or `)})`
}
