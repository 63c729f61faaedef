/**
 * The borrower found by what a caller gives: a phone, a PAN, an id, an order number or the beginning
 * of a name.
 */
import { type RawBuilder, sql } from 'kysely'
import { type FoundPerson, MOST_PEOPLE } from '#shared/search/search-api.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { likeStart } from '#gateway/manage/kernel/list-parts.ts'
import { customerInScope } from '#gateway/manage/features/customers/public.ts'
import { ticketsInScope } from '#gateway/manage/features/tickets/ticket-scope.ts'
import { idsOf, phoneIn } from './search-words.ts'

const PAN = /^[A-Z]{5}\d{4}[A-Z]$/
const ORDER = /^L\d{8}$/
/** Letters of any script and what names contain beside them; account and record numbers are not. */
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}\s.'’-]{2,63}(?:\s?\d{1,3})?$/u

/** Orders that still run, from the application to the last rupee. */
const OPEN_ORDER = sql`o.status in (10, 20, 22, 26, 29, 30, 31, 43, 50, 90)`
const OWED = sql`o.status in (30, 43, 50, 90)`

/** The customers a text can mean, each way by an index; null when it can mean none. */
export function peopleMeant({ context }: Query, text: string): RawBuilder<boolean> | null {
  const wanted = text.toUpperCase().replaceAll(' ', '')
  const phone = phoneIn(text)
  if (phone !== null)
    return sql<boolean>`
      c.id in (select p.id from app a join customer p on p.app_id = a.id
        where p.phone_h = ${context.secrets.blindIndex('phone', phone)})`
  if (PAN.test(wanted)) return sql<boolean>`c.pan_h = ${context.secrets.blindIndex('pan', wanted)}`
  if (ORDER.test(wanted))
    return sql<boolean>`c.id = (select o.customer_id from loan_order o where o.id = ${wanted})`
  const ids = idsOf('C', wanted)
  if (ids) return sql<boolean>`(c.id >= ${ids.from} and c.id <= ${ids.to})`
  return NAME.test(text.trim())
    ? sql<boolean>`lower(c.name) like ${likeStart(text.trim().replaceAll(/\s+/g, ' '))}`
    : null
}

/** One more than is listed, so that the caller knows whether there are more. */
export async function findPeople(
  { db, actor }: Query,
  meant: RawBuilder<boolean>,
): Promise<FoundPerson[]> {
  const { rows } = await sql<FoundPerson>`
    with found as (
      select c.id, c.name, c.phone_last4, c.app_id
      from customer c
      where ${meant}
        and ${customerInScope(actor)}
      limit ${MOST_PEOPLE + 1}
    )
    select c.id as "userId", coalesce(c.name, '') as name, 'XXXXXX' || c.phone_last4 as phone,
      a.name as "appName", '/customer_management/info?userId=' || c.id as route,
      (select json_build_object('orderId', o.id, 'status', o.status, 'dueDay', o.due_at::text,
          'overdueDays', o.overdue_days)
        from loan_order o
        where o.customer_id = c.id
          and ${OPEN_ORDER}
        order by o.overdue_days > 0 desc, ${OWED} desc, o.created_at desc, o.id desc
        limit 1) as "openOrder",
      (select count(*)::int
        from feedback t
        where t.customer_id = c.id
          and t.progress <> 'finished'
          and ${ticketsInScope(actor)}) as "openTickets"
    from found c
    join app a on a.id = c.app_id
    order by lower(c.name), c.id`.execute(db)
  return rows
}
