/**
 * Whose personal data is over its term. Borrowers: the Prevention of Money-Laundering (Maintenance
 * of Records) Rules 2005 ask for the records of a customer's identity for five years after the
 * relation ended. All others: the Digital Personal Data Protection Rules 2025 ask for a year.
 * After that the Act of 2023, section 8 (7), demands that the data goes.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { PersonalData } from '#gateway/manage/kernel/personal-data.ts'
import { termDays } from '#gateway/manage/kernel/retained.ts'

const BORROWER_LEAST = 1_826
const APPLICANT_LEAST = 365
const READ = 500

export interface Terms {
  borrower: number
  applicant: number
}

export async function termsOf(context: AppContext): Promise<Terms> {
  return {
    borrower: await termDays(context, 'retention.borrowerDays', BORROWER_LEAST),
    applicant: await termDays(context, 'retention.applicantDays', APPLICANT_LEAST),
  }
}

/** Whether anything is open with the customer; over `customer c`. */
function isHeld(data: readonly PersonalData[]): RawBuilder<boolean> {
  const reasons = data.flatMap((one) => (one.isHeld === undefined ? [] : [one.isHeld]))
  return sql<boolean>`(${sql.join(reasons, sql` or `)})`
}

/** When the customer was last dealt with; over `customer c`. */
function lastAt(data: readonly PersonalData[]): RawBuilder<string> {
  const moments = data.flatMap((one) => (one.lastAt === undefined ? [] : [one.lastAt]))
  return sql<string>`greatest(${sql.join(moments)})`
}

function termOf({ borrower, applicant }: Terms): RawBuilder<number> {
  return sql<number>`case when exists (select from loan_order o where o.customer_id = c.id
    and o.disbursed_at is not null) then ${borrower}::int else ${applicant}::int end`
}

/**
 * Notes customers whose term is over and with whom nothing is open; each is noted once.
 * @returns how many
 */
export async function noteDue(context: AppContext, data: readonly PersonalData[]): Promise<number> {
  const terms = await termsOf(context)
  const db = context.database.kysely
  const least = Math.min(terms.borrower, terms.applicant)
  let noted = 0
  let after = { at: '-infinity', id: '' }
  while (!context.stopping.aborted) {
    const { rows } = await sql<{ read: number; noted: number; at: string | null; id: string }>`
      with part as materialized (
        select c.id, c.last_active_at from customer c
        where (c.last_active_at, c.id) > (${after.at}::timestamptz, ${after.id})
          and c.last_active_at < clock_timestamp() - make_interval(days => ${least})
        order by c.last_active_at, c.id limit ${READ}
      ), judged as (
        select c.id, ${termOf(terms)} as term, ${lastAt(data)} as since
        from part p join customer c on c.id = p.id
        where not exists (select from customer_erasure e where e.customer_id = c.id)
          and not ${isHeld(data)}
      ), noted as (
        insert into customer_erasure (customer_id, term_days, since)
        select j.id, j.term, j.since from judged j
        where j.since < clock_timestamp() - make_interval(days => j.term)
        on conflict do nothing returning 1
      )
      select (select count(*)::int from part) as read, (select count(*)::int from noted) as noted,
        p.last_active_at as at, p.id
      from (select 1) x left join (select * from part order by last_active_at desc, id desc limit 1) p
        on true`.execute(db)
    const { read, noted: some, at, id } = rows[0] as (typeof rows)[number]
    noted += some
    if (read < READ || at === null) break
    after = { at, id }
  }
  return noted
}

/** Whether what was noted of a customer still holds: nothing is open, nothing happened since. */
export async function isStillDue(
  db: Db,
  customerId: string,
  data: readonly PersonalData[],
): Promise<boolean> {
  const { rows } = await sql`
    select from customer c join customer_erasure e on e.customer_id = c.id
    where c.id = ${customerId} and ${lastAt(data)} <= e.since and not ${isHeld(data)}`.execute(db)
  return rows.length > 0
}
