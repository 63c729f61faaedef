/**
 * Baseline of an allocation: one UPDATE that assigns every case of a pool. No plan, no log, no
 * counters, no notifications.
 */
import { sql } from 'kysely'
import { type Database, openDatabase } from '#gateway/manage/db/client.ts'
import type { BareDatabase } from '../book.ts'
import { sharedNow } from '../measure.ts'
import { makePool, type Pool } from '../pool.ts'
import { serveBench } from './child.ts'

let database: Database | null = null

serveBench({
  async start({ bare, pool }: { bare: BareDatabase; pool: Pool }) {
    database = await openDatabase(bare)
    await makePool(database, pool)
  },
  run,
})

async function run({ stageId, prefix }: Pool): Promise<{ ms: number; cases: number }> {
  const db = (database as Database).kysely
  const begin = sharedNow()
  const { rows } = await sql<{ n: number }>`
    with people as (
      select array_agg(u.id order by u.id) as ids, array_agg(u.agency_id
        order by u.id) as agencies, array_agg(u.department_id
        order by u.id) as departments, array_agg(u.group_id order by u.id) as groups, count(*)::int as n
      from collector k join sys_user u on u.id = k.user_id where u.account like ${`${prefix}collector%`}
    ), given as (
      update collection_case c set state = 'allocated', collector_id = p.ids[x.at],
        agency_id = p.agencies[x.at], department_id = p.departments[x.at], group_id = p.groups[x.at],
        token = c.token + 1, allocated_at = clock_timestamp(), version = c.version + 1,
        updated_at = clock_timestamp()
      from people p, (select y.id, (1 + row_number() over (order by y.id) % (select n from people))::int as at
        from collection_case y where y.stage_id = ${stageId}
        and y.state = 'unallocated' and y.id like ${`${prefix}%`}) x
      where c.id = x.id returning 1
    )
    select count(*)::int as n from given`.execute(db)
  return { ms: sharedNow() - begin, cases: rows[0]?.n ?? 0 }
}
