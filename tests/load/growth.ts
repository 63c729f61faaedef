/** A growing book: loans in collection, nine in ten of them with a holder. */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'
import { makeManyCases } from '#tests/factories/many-cases.ts'

const STAGES = ['T1', 'S1', 'M1', 'M3']
/** A statement of the console may run for five minutes. */
const SLICE = 100_000

export interface Growth {
  cases: number
  /** Prefix of the ids of this growth. */
  prefix: string
}

/** Only the cases of the account `collector` stay as they are. */
export async function grow(database: Database, { cases, prefix }: Growth): Promise<null> {
  const db = database.kysely
  for (let from = 0; from < cases; from += SLICE)
    await growBy(database, {
      cases: Math.min(SLICE, cases - from),
      prefix: `${prefix}${from / SLICE}x`,
    })
  await sql`vacuum analyze collection_case, loan_order, customer`.execute(db)
  return null
}

async function growBy(database: Database, { cases, prefix }: Growth): Promise<void> {
  await makeManyCases({ database }, { count: cases, stageIds: STAGES, prefix })
  await sql`
    with people as (
      select array_agg(u.id order by u.id) as ids, count(*)::int as n from collector k
        join sys_user u on u.id = k.user_id where u.account <> 'collector' and u.group_id is not null
    ), given as (
      select c.id, p.ids[1 + (row_number() over (order by c.id) % p.n)::int] as user_id
        from collection_case c cross join people p where c.id like ${`${prefix}A%`} and right(c.id, 1) <> '0'
    )
    update collection_case c set state = 'allocated', collector_id = u.id, agency_id = u.agency_id,
      department_id = u.department_id, group_id = u.group_id, token = 1, allocated_at = clock_timestamp(),
      intimated_at = clock_timestamp()
    from given g join sys_user u on u.id = g.user_id where c.id = g.id`.execute(database.kysely)
}
