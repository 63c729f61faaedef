/** Staff accounts for the list. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/access/users-api.ts'
import { isOnline } from '#gateway/manage/features/collection/public.ts'
import { lockedUntil } from '#gateway/manage/features/session/public.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime, likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'

export type User = DataOf<typeof api.editUser>

const SORTS = {
  account: 'lower(u.account)',
  nickname: 'u.nickname',
  userName: 'u.user_name',
  jobNumber: 'u.job_number',
  roleName: 'g.name',
  language: 'u.language',
  status: 'u.status',
  agencyName: 'a.name',
  departmentName: 'd.name',
  groupName: 't.name',
  lastLoginTime: '"lastLoginTime"',
}

async function readUsers(
  db: Db,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: RawBuilder<unknown> = sql``,
): Promise<(User & { total: number; now: string })[]> {
  const { rows } = await sql<User & { total: number; now: string }>`
    select u.id as "userId", u.account, u.nickname, u.user_name as "userName", u.email,
      u.job_number as "jobNumber", u.role_id as "roleId", g.name as "roleName", g.unique_mark as "roleMark",
      u.language, u.status,
      u.agency_id as "agencyId", u.department_id as "departmentId", u.group_id as "groupId",
        a.name as "agencyName", d.name as "departmentName", t.name as "groupName",
        u.allocation_flag as "allocationFlag", u.two_factor as "twoFactor",
      (select ${isoTime('max(n.login_at)')} from sys_session n
        where n.user_id = u.id) as "lastLoginTime", ${isOnline('u.id')} as online,
        ${lockedUntil('u.account')} as "lockedUntil", u.version,
      count(*) over ()::int as total, clock_timestamp() as now
    from sys_user u join sys_role g on g.id = u.role_id left join agency a on a.id = u.agency_id left
      join department d on d.id = u.department_id left join team_group t on t.id = u.group_id
    where ${where} order by ${order} ${page}`.execute(db)
  return rows
}

function shown({ total: _total, now: _now, ...user }: User & { total: number; now: string }): User {
  return user
}

export async function listUsers(db: Db, input: InputOf<typeof api.listUsers>): Promise<Page<User>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.account !== undefined) all.push(sql`lower(u.account) like ${likeStart(input.account)}`)
  if (input.nickname !== undefined)
    all.push(
      sql`
        (lower(u.nickname) like ${likeStart(input.nickname)}
          or lower(u.user_name) like ${likeStart(input.nickname)})`,
    )
  if (input.roleId !== undefined) all.push(sql`u.role_id = ${input.roleId}`)
  if (input.status !== undefined) all.push(sql`u.status = ${input.status}`)
  if (input.agencyId !== undefined) all.push(sql`u.agency_id = ${input.agencyId}`)
  if (input.departmentId !== undefined) all.push(sql`u.department_id = ${input.departmentId}`)
  if (input.groupId !== undefined) all.push(sql`u.group_id = ${input.groupId}`)
  if (input.jobNumber !== undefined)
    all.push(sql`lower(u.job_number) like ${likeStart(input.jobNumber)}`)
  if (input.online !== undefined) all.push(sql`${isOnline('u.id')} = ${input.online}`)
  const rows = await readUsers(
    db,
    sql<boolean>`${sql.join(all, sql` and `)}`,
    sortOf(input.sort, SORTS, 'account:asc', 'u.id'),
    sql`limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`,
  )
  return {
    rows: rows.map(shown),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 */
export async function findUser(db: Db, userId: string): Promise<User> {
  const [row] = await readUsers(db, sql<boolean>`u.id = ${userId}`, sql`u.id`)
  if (!row) throw new Problem(NOT_FOUND)
  return shown(row)
}

/** @throws Problem G404 */
export async function userDetail(db: Db, userId: string): Promise<DataOf<typeof api.userDetail>> {
  const user = await findUser(db, userId)
  const { rows: sessions } = await sql<DataOf<typeof api.userDetail>['sessions'][number]>`
    select n.id as "sessionId", n.ip, n.agent, ${isoTime('n.login_at')} as "loginTime",
      ${isoTime('n.last_seen_at')} as "lastSeen"
    from sys_session n where n.user_id = ${userId} and n.revoked_at is null
      and n.expires_at > clock_timestamp() order by n.last_seen_at desc, n.id`.execute(db)
  return { ...user, sessions }
}
