/** Names of what rows are grouped by, by id. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'

type Names = ReadonlyMap<string, string>
interface Named {
  id: string
  name: string
}

export function channelNames(db: Db): Promise<Names> {
  return namesOf(db, sql<Named>`select c.id, c.name from channel c`)
}

export function productNames(db: Db): Promise<Names> {
  return namesOf(db, sql<Named>`select p.id, p.name from product p`)
}

/** Of the version in force, else of the newest one. */
export function ruleNames(db: Db): Promise<Names> {
  return namesOf(
    db,
    sql<Named>`
      select r.id, v.name
      from rule r
      join rule_version v on v.rule_id = r.id and v.version_no = coalesce(r.enabled_no, r.latest_no)`,
  )
}

/** `CR01 Written off · v3 · 10 %`; a champion names no version: others may have been in force before. */
export function shareNames(db: Db): Promise<Names> {
  return namesOf(
    db,
    sql<Named>`
      select t.id || ':' || s.side as id, concat_ws(' · ', t.rule_id || ' ' || v.name,
        case s.side when 'challenger' then 'v' || t.version_no end, s.percent || ' %') as name
      from rule_trial t
      join rule_version v on v.rule_id = t.rule_id and v.version_no = t.version_no
      cross join lateral (
        values ('challenger', t.percent), ('champion', 100 - t.percent)
      ) s (side, percent)
      where t.kind = 'share'`,
  )
}

/** Who decided reviews. */
export function reviewerNames(db: Db): Promise<Names> {
  return namesOf(
    db,
    sql<Named>`
      select u.id, u.user_name as name from sys_user u
      where u.id in (select r.reviewer_id from report_review_day r)`,
  )
}

async function namesOf(db: Db, query: RawBuilder<Named>): Promise<Names> {
  const { rows } = await query.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
