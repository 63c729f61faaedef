/** Queries of announcements, for their screen and for their readers. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import type * as api from '#shared/announcements/announcements-api.ts'
import type { announcementExposure } from '#shared/announcements/exposure-api.ts'
import { likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { sinceDay, untilDay } from '#gateway/manage/kernel/ist-days.ts'

type Row = DataOf<typeof api.setAnnouncementStatus>

const COLUMNS = sql.raw(
  `
    n.id as "noticeId", n.title, n.content, n.status, n.pop_condition as "popCondition", n.roles,
      n.exposure_count as "exposureCount", n.updated_at as "updateTime", u.user_name as "updateBy",
      n.version`,
)
const SORTS = {
  updateTime: 'n.updated_at',
  title: 'lower(n.title)',
  status: 'n.status',
  exposureCount: 'n.exposure_count',
}

export async function listAnnouncements(
  db: Db,
  input: InputOf<typeof api.listAnnouncements>,
): Promise<Page<Row>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.title !== undefined) all.push(sql`lower(n.title) like ${`%${likeStart(input.title)}`}`)
  if (input.status !== undefined) all.push(sql`n.status = ${input.status}`)
  if (input.timeFrom !== undefined) all.push(sinceDay('n.updated_at', input.timeFrom))
  if (input.timeTo !== undefined) all.push(untilDay('n.updated_at', input.timeTo))
  const where = sql`${sql.join(all, sql` and `)}`
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`
      select ${COLUMNS} from notice n left join sys_user u on u.id = n.updated_by
      where ${where} order by ${sortOf(input.sort, SORTS, 'updateTime:desc', 'n.id')}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db),
    sql<{
      total: number
      now: string
    }>`select count(*)::int as total, clock_timestamp() as now from notice n where ${where}`.execute(
      db,
    ),
  ])
  const { total, now } = counted.rows[0] as { total: number; now: string }
  return { rows, total, asOf: now }
}

export async function findAnnouncement(db: Db, noticeId: string): Promise<Row | null> {
  const { rows } = await sql<Row>`
      select ${COLUMNS} from notice n left join sys_user u on u.id = n.updated_by where n.id = ${noticeId}`.execute(
    db,
  )
  return rows[0] ?? null
}

/**
 * By the roles people have now: those it is for, and those of people who were shown it before.
 * @throws Problem G404
 */
export async function exposureOf(
  db: Db,
  noticeId: string,
): Promise<DataOf<typeof announcementExposure>> {
  if ((await findAnnouncement(db, noticeId)) === null) throw new Problem(NOT_FOUND)
  const { rows } = await sql<DataOf<typeof announcementExposure>['rows'][number]>`
    select g.unique_mark as role, g.name, count(r.user_id)::int as shown,
      (count(*) filter (where u.status in ('enabled', 'normal')))::int as accounts
    from notice n cross join sys_user u join sys_role g on g.id = u.role_id
    left join notice_read r on r.notice_id = n.id and r.user_id = u.id
    where n.id = ${noticeId}
    group by g.unique_mark, g.name, n.roles
    having count(r.user_id) > 0 or n.roles = '{}' or g.unique_mark = any(n.roles)
    order by shown desc, g.name`.execute(db)
  return { rows }
}

/**
 * Announcements for one person. Whether one pops up depends on the session's login, the IST day and
 * the person's last exposure since publication.
 */
export async function announcementsFor(
  db: Db,
  { userId, sessionId, rights }: StaffActor,
): Promise<DataOf<typeof api.myAnnouncements>> {
  const { rows } = await sql<DataOf<typeof api.myAnnouncements>['rows'][number]>`
    select n.id as "noticeId", n.title, n.content, r.shown_at as "readTime", n.published_at as "publishTime",
      case n.pop_condition
        when 'everyLogin' then r.shown_at is null or r.shown_at < n.published_at
          or r.shown_at < (select s.login_at from sys_session s where s.id = ${sessionId})
        when 'oncePerDay' then r.shown_at is null or r.shown_at < n.published_at
          or (r.shown_at at time zone 'Asia/Kolkata')::date < (clock_timestamp() at time zone
          'Asia/Kolkata')::date
        when 'once' then r.shown_at is null or r.shown_at < n.published_at
        else false
      end as popup
    from notice n left join notice_read r on r.notice_id = n.id and r.user_id = ${userId}
    where n.status = 'published' and (n.roles = '{}' or ${rights.roleMark} = any(n.roles))
    order by n.published_at desc, n.id limit 50`.execute(db)
  return { rows }
}

/**
 * Published for the caller and not shown to them since publication: ids and titles, newest first.
 */
export async function unreadAnnouncements(
  db: Db,
  { userId, rights }: StaffActor,
): Promise<{ noticeId: string; title: string; publishTime: string }[]> {
  const { rows } = await sql<{ noticeId: string; title: string; publishTime: string }>`
    select n.id as "noticeId", n.title, n.published_at as "publishTime" from notice n left
      join notice_read r on r.notice_id = n.id and r.user_id = ${userId}
    where n.status = 'published' and (n.roles = '{}' or ${rights.roleMark} = any(n.roles))
      and (r.shown_at is null or r.shown_at < n.published_at) order by n.published_at desc, n.id limit 50`.execute(
    db,
  )
  return rows
}
