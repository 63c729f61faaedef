/** What every change of an account checks: the row as it is, its role, the place it stands in. */
import { sql } from 'kysely'
import {
  CHANGED_BY_OTHER,
  FORBIDDEN,
  INVALID_FIELDS,
  NOT_FOUND,
  Problem,
} from '#shared/kernel/problem.ts'
import { COLLECTOR_ROLES } from '#shared/collection/setup-api.ts'
import type { DataScope } from '#shared/kernel/permission.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { USER_CHANGED } from '#shared/session/session-live.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { findUser } from './user-queries.ts'

export interface LockedUser {
  id: string
  account: string
  nickname: string
  user_name: string
  status: string
  role_id: string
  role_mark: string
  agency_id: string | null
  department_id: string | null
  group_id: string | null
  allocation_flag: boolean
  job_number: string | null
  language: string
  version: number
}

/** @throws Problem G404; G409 when `version` is given and not the row's */
export async function lockUser(cx: Cx, userId: string, version?: number): Promise<LockedUser> {
  const { rows } = await sql<LockedUser>`
    select u.id, u.account, u.nickname, u.user_name, u.status, u.role_id, g.unique_mark as role_mark, u.agency_id, u.department_id, u.group_id, u.allocation_flag, u.job_number, u.language, u.version
    from sys_user u join sys_role g on g.id = u.role_id where u.id = ${userId} for update of u`.execute(
    cx.db,
  )
  const user = rows[0]
  if (!user) throw new Problem(NOT_FOUND)
  if (version === undefined || user.version === version) return user
  const fresh = await findUser(cx.db, userId)
  // an account also changes where collectors are set up, which logs it as theirs
  const problem = await changedByOther(cx.db, 'user', userId, fresh)
  throw problem.params.userName === '?'
    ? await changedByOther(cx.db, 'collector', userId, fresh)
    : new Problem(CHANGED_BY_OTHER, problem.params, fresh)
}

/** Administrators are made, changed and stopped by administrators alone: who could reset their password would be one of them. @throws Problem G403 */
export function refuseAboveOwn(cx: Cx, ...marks: string[]): void {
  if (marks.includes(ADMINISTRATOR) && staff(cx.actor).rights.roleMark !== ADMINISTRATOR)
    throw new Problem(FORBIDDEN)
}

export interface RoleOf {
  mark: string
  scope: DataScope
}

/** @throws Problem G422 for a role that is none */
export async function roleOf(cx: Cx, roleId: string): Promise<RoleOf> {
  const { rows } =
    await sql<RoleOf>`select g.unique_mark as mark, g.data_scope as scope from sys_role g where g.id = ${roleId}`.execute(
      cx.db,
    )
  if (!rows[0]) throw new Problem(INVALID_FIELDS, {}, { fields: { roleId: 'unknown' } })
  return rows[0]
}

export function isCollectorRole(mark: string): boolean {
  return (COLLECTOR_ROLES as readonly string[]).includes(mark)
}

export interface Place {
  agencyId?: string | undefined
  departmentId?: string | undefined
  groupId?: string | undefined
}

/**
 * A department belongs to its agency and a group to its department; the data scope of the role names the unit its holder must
 * have, or he would see nothing; a company is wanted as soon as there is one.
 * @throws Problem G422 at the field
 */
export async function checkPlace(
  cx: Cx,
  role: RoleOf,
  { agencyId, departmentId, groupId }: Place,
): Promise<void> {
  const isCollector = isCollectorRole(role.mark)
  const { rows } = await sql<{
    any_agency: boolean
    agency: boolean
    department: boolean
    team: boolean
  }>`
    select exists (select 1 from agency a) as any_agency, exists (select 1 from agency a where a.id = ${agencyId ?? null}) as agency,
      exists (select 1 from department d where d.id = ${departmentId ?? null} and d.agency_id = ${agencyId ?? null}) as department,
      exists (select 1 from team_group t where t.id = ${groupId ?? null} and t.department_id = ${departmentId ?? null}) as team`.execute(
    cx.db,
  )
  const found = rows[0] as (typeof rows)[number]
  const fields: Record<string, string> = {}
  const judge = (
    name: keyof Place,
    value: string | undefined,
    isThere: boolean,
    isWanted: boolean,
  ): void => {
    if (value === undefined ? isWanted : !isThere)
      fields[name] = value === undefined ? 'required' : 'unknown'
  }
  judge(
    'agencyId',
    agencyId,
    found.agency,
    found.any_agency || role.scope === 'agency' || isCollector,
  )
  judge(
    'departmentId',
    departmentId,
    found.department,
    role.scope === 'department' || groupId !== undefined || isCollector,
  )
  judge('groupId', groupId, found.team, role.scope === 'group' || isCollector)
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
}

/** Everybody who looks at the accounts hears it, and the person himself. */
export async function tellUser(cx: Cx, userId: string): Promise<void> {
  const { rows } = await sql<{
    status: string
    version: number
  }>`select u.status, u.version from sys_user u where u.id = ${userId}`.execute(cx.db)
  const row = rows[0] as { status: string; version: number }
  cx.emit(USER_CHANGED, {
    subject: `user:${userId}`,
    version: row.version,
    rooms: [`user:${userId}`, 'menu:user'],
    data: { userId, status: row.status },
  })
}

/** What the log may hold of an account: no password, no address. */
export function loggedUser(user: {
  nickname: string
  role_mark: string
  status: string
  agency_id: string | null
  department_id: string | null
  group_id: string | null
  allocation_flag: boolean
  job_number: string | null
  language: string
}): Record<string, unknown> {
  const {
    nickname,
    role_mark: role,
    status,
    agency_id: agencyId,
    department_id: departmentId,
    group_id: groupId,
    allocation_flag: allocationFlag,
    job_number: jobNumber,
    language,
  } = user
  return {
    nickname,
    role,
    status,
    agencyId,
    departmentId,
    groupId,
    allocationFlag,
    jobNumber,
    language,
  }
}
