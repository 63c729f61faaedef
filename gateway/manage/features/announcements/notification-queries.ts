import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type { listNotifications } from '#shared/announcements/notifications-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

interface NotificationRecord {
  id: string
  kind: string
  title_key: string
  params: Record<string, string | number>
  route: string | null
  at: string
  read_at: string | null
}

export async function findNotifications(
  db: Db,
  userId: string,
  input: InputOf<typeof listNotifications>,
): Promise<DataOf<typeof listNotifications>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const where = sql`
    n.user_id = ${userId} and (${input.kind ?? null}::text is null or n.kind = ${input.kind ?? null})
      and (${input.unread !== true} or n.read_at is null)`
  const { rows } = await sql<NotificationRecord>`
    select n.id, n.kind, n.title_key, n.params, n.route, n.at, n.read_at from notification n
    where ${where} order by n.at ${directionOf(input.sort)}, n.id ${directionOf(input.sort)}
      limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const counted = await sql<{ total: number; now: string }>`
    select count(*) as total, clock_timestamp() as now
    from (select 1 from notification n where ${where} limit ${TOTAL_CAP + 1}) t`.execute(db)
  const { total, now } = counted.rows[0] as { total: number; now: string }
  return {
    rows: rows.map((n) => ({
      notificationId: n.id,
      kind: n.kind,
      titleKey: n.title_key,
      params: n.params,
      route: n.route,
      time: n.at,
      readTime: n.read_at,
    })),
    total: Math.min(total, TOTAL_CAP),
    ...(total > TOTAL_CAP ? { totalCapped: true } : {}),
    asOf: now,
    unread: await countUnread(db, userId),
  }
}

export async function countUnread(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from notification n where n.user_id = ${userId} and n.read_at is null`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

function directionOf(sort: string | undefined): RawBuilder<unknown> {
  if (sort === undefined || sort === 'time:desc') return sql.raw('desc')
  if (sort === 'time:asc') return sql.raw('asc')
  throw new Problem(INVALID_FIELDS, {}, { fields: { sort: 'unknown' } })
}
