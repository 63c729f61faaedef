/**
 * Finds records by what people copy from messages: the beginning of an id, a phone, a PAN, a UTR.
 * One statement over the kinds the caller may see.
 */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import {
  MOST_FOUND,
  MOST_PEOPLE,
  type NOTHING_FOUND,
  RECORD_KINDS,
  type RecordKind,
  type searchRecords,
} from '#shared/search/search-api.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import {
  isUtrOf,
  plansInScope,
  recordsInScope,
} from '#gateway/manage/features/repayments/public.ts'
import { casesInScope } from '#gateway/manage/features/collection/case-scope.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { reviewsInScope } from '#gateway/manage/features/review/review-scope.ts'
import { ticketsInScope } from '#gateway/manage/features/tickets/ticket-scope.ts'
import { peopleInScope } from '#gateway/manage/features/collection/public.ts'
import { likeStart } from '#gateway/manage/kernel/list-parts.ts'
import { findPeople, peopleMeant } from './search-people.ts'
import { idsOf, isPartNumber, phoneIn } from './search-words.ts'
import { orderPath } from '#shared/orders/order-path.ts'
import { planPath } from '#shared/repayments/plan-path.ts'
import { reviewPath } from '#shared/review/review-path.ts'
import { casePath } from '#shared/collection/case-path.ts'
import { ticketPath } from '#shared/tickets/ticket-path.ts'

type Answer = DataOf<typeof searchRecords>
type Found = Answer['rows']

interface Kind {
  /** Prefix of its ids; eight digits follow. Staff have no id people know. */
  letters: string | null
  /** Menus whose holders may find it, the one that opens its page first. */
  menus: readonly string[]
  route: (id: string, menu: string) => string
  /** What the result is called; by default the customer's name. */
  label?: string
  /** Its rows joined with `u`, their customers. */
  from: string
  inScope: (actor: StaffActor) => RawBuilder<boolean>
  id: string
  /**
   * Other ways to find it: its customer, the UTR of its order's payment, its own UTR. Instalments
   * and payments are not found by phone, because a customer has too many.
   */
  customer?: string
  order?: string
  hasUtr?: (utr: string) => RawBuilder<boolean>
  /** Found by name or account instead of an id. */
  named?: (text: string) => RawBuilder<boolean>
}

const PAN = /^[A-Z]{5}\d{4}[A-Z]$/
/** Names and accounts begin with a letter. */
const STAFF_NAME = /^\p{L}[\p{L}\p{M}\w\s.'-]{2,63}$/u
const UTR = /^(?:\d{12}|[A-Z0-9]{16}|[A-Z0-9]{22})$/

const KINDS: Readonly<Record<RecordKind, Kind>> = {
  order: {
    letters: 'L',
    menus: ['order_list'],
    route: orderPath,
    from: 'loan_order o join customer u on u.id = o.customer_id',
    inScope: ordersInScope,
    id: 'o.id',
    customer: 'o.customer_id',
    order: 'o.id',
  },
  plan: {
    letters: 'P',
    menus: ['repay_plan'],
    route: planPath,
    from: 'repay_plan p join loan_order o on o.id = p.order_id join customer u on u.id = o.customer_id',
    inScope: plansInScope,
    id: 'p.id',
  },
  record: {
    letters: 'RR',
    menus: ['repay_record'],
    route: (id) => `/order_management/repay_record?recordId=${id}`,
    // unassigned money has no customer yet
    from: 'repay_record r left join customer u on u.id = r.customer_id',
    inScope: recordsInScope,
    id: 'r.id',
    hasUtr: isUtrOf,
  },
  review: {
    letters: 'R',
    menus: ['review_list'],
    route: reviewPath,
    from: 'review r join customer u on u.id = r.customer_id',
    inScope: reviewsInScope,
    id: 'r.id',
    customer: 'r.customer_id',
    order: 'r.order_id',
  },
  case: {
    letters: 'CA',
    menus: ['pedding_list', 'peded_list'],
    route: casePath,
    from: 'collection_case c join customer u on u.id = c.customer_id',
    inScope: casesInScope,
    id: 'c.id',
    customer: 'c.customer_id',
    order: 'c.order_id',
  },
  ticket: {
    letters: 'FB',
    menus: ['operation_ticket', 'loaned_ticket', 'user_feedback'],
    route: ticketPath,
    from: 'feedback t join customer u on u.id = t.customer_id',
    inScope: ticketsInScope,
    id: 't.id',
    customer: 't.customer_id',
    order: 't.order_id',
  },
  staff: {
    letters: null,
    menus: ['user', 'urge_person'],
    // lists of staff are filtered by account
    route: (id, menu) =>
      `${menu === 'user' ? '/system/user' : '/loaned_management/urge_person'}?account=${encodeURIComponent(id)}`,
    from: 'sys_user u join sys_role g on g.id = u.role_id',
    inScope: peopleInScope,
    id: 'u.account',
    label: 'u.user_name',
    named: (text) =>
      sql<boolean>`
        (lower(u.user_name) like ${likeStart(text)} or lower(u.account) like ${likeStart(text)})`,
  },
}

/**
 * The newest of each kind first, then the second newest of each, so that no kind crowds out the
 * others; the result is grouped by kind. People come first, because a caller is a person.
 */
export async function searchRecordsFor(query: Query, text: string): Promise<Answer> {
  const { permissions } = query.actor.rights
  const meant = peopleMeant(query, text)
  const maySeePeople = permissions.has('info:view')
  const [people, { rows, isRefused }] = await Promise.all([
    meant && maySeePeople ? findPeople(query, meant) : [],
    findRows(query, text),
  ])
  const isNothing = people.length === 0 && rows.length === 0
  const looksForPeople = meant !== null && maySeePeople
  return {
    people: people.slice(0, MOST_PEOPLE),
    morePeople: people.length > MOST_PEOPLE,
    rows,
    why: isNothing ? whyNothing(text, !looksForPeople && (isRefused || meant !== null)) : null,
  }
}

function whyNothing(text: string, isRefused: boolean): (typeof NOTHING_FOUND)[number] {
  if (isPartNumber(text)) return 'partNumber'
  return isRefused ? 'noRight' : 'none'
}

/** @returns isRefused when nothing was looked for: all it can mean is of menus the caller lacks */
async function findRows(query: Query, text: string): Promise<{ rows: Found; isRefused: boolean }> {
  const wanted = text.trim().toUpperCase().replaceAll(' ', '')
  const { permissions } = query.actor.rights
  const person = personOf(query, text, wanted)
  const utr = UTR.test(wanted) ? wanted : null
  const menuOf = new Map<string, string>()
  const parts: RawBuilder<unknown>[] = []
  let refused = 0
  for (const [name, kind] of Object.entries(KINDS)) {
    const means = meanings(kind, text.trim(), wanted, person, utr)
    if (means.length === 0) continue
    const menu = kind.menus.find((one) => permissions.has(`${one}:view`))
    if (menu === undefined) {
      refused += 1
      continue
    }
    menuOf.set(name, menu)
    const id = sql.raw(kind.id)
    parts.push(sql`
      (select ${sql.lit(name)} as kind, ${id} as id,
        coalesce(${sql.raw(kind.label ?? 'u.name')}, '') as label,
        row_number() over (order by ${id} desc) as place
      from ${sql.raw(kind.from)} where ${kind.inScope(query.actor)} and (${sql.join(
        means,
        sql`
        or `,
      )}) order by ${id} desc limit ${MOST_FOUND})`)
  }
  if (parts.length === 0) return { rows: [], isRefused: refused > 0 }
  const { rows } = await sql<{ kind: RecordKind; id: string; label: string }>`
    select f.kind, f.id, f.label
    from (${sql.join(parts, sql` union all `)}) f
    order by f.place
    limit ${MOST_FOUND}`.execute(query.db)
  return {
    isRefused: false,
    rows: RECORD_KINDS.flatMap((kind) => rows.filter((row) => row.kind === kind)).map((row) => ({
      ...row,
      route: KINDS[row.kind].route(row.id, menuOf.get(row.kind) as string),
    })),
  }
}

/** The meanings of the text for records of this kind, each with an index. */
function meanings(
  { letters, ...kind }: Kind,
  text: string,
  wanted: string,
  person: RawBuilder<unknown> | null,
  utr: string | null,
): RawBuilder<unknown>[] {
  const ids = letters === null ? null : idsOf(letters, wanted)
  return [
    ...(ids
      ? [sql`(${sql.raw(kind.id)} >= ${ids.from} and ${sql.raw(kind.id)} <= ${ids.to})`]
      : []),
    ...(person && kind.customer ? [sql`${sql.raw(kind.customer)} in (${person})`] : []),
    ...(utr && kind.order
      ? [
          sql`
            ${sql.raw(kind.order)} in (select y.order_id from repay_record y where y.utr = ${utr}
              and y.pay_state <> 'fail' and y.reversed_at is null)`,
        ]
      : []),
    ...(utr && kind.hasUtr ? [kind.hasUtr(utr)] : []),
    ...(kind.named && STAFF_NAME.test(text) ? [kind.named(text)] : []),
  ]
}

/** A keyed hash, so only the complete number matches. */
function personOf({ context }: Query, text: string, wanted: string): RawBuilder<unknown> | null {
  const phone = phoneIn(text)
  if (phone !== null)
    return sql`
      select p.id from app a join customer p on p.app_id = a.id
        where p.phone_h = ${context.secrets.blindIndex('phone', phone)}`
  return PAN.test(wanted)
    ? sql`select p.id from customer p where p.pan_h = ${context.secrets.blindIndex('pan', wanted)}`
    : null
}
