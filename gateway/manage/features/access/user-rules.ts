/** Checks shared by all changes of an account: the current row, its role and its unit. */
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
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
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

/** @throws Problem G404; G409 when `version` is given and outdated */
export async function lockUser(
  tx: CommandTx,
  userId: string,
  version?: number,
): Promise<LockedUser> {
  const { rows } = await sql<LockedUser>`
    select u.id, u.account, u.nickname, u.user_name, u.status, u.role_id, g.unique_mark as role_mark,
      u.agency_id, u.department_id, u.group_id, u.allocation_flag, u.job_number, u.language, u.version
    from sys_user u join sys_role g on g.id = u.role_id where u.id = ${userId} for update of u`.execute(
    tx.db,
  )
  const user = rows[0]
  if (!user) throw new Problem(NOT_FOUND)
  if (version === undefined || user.version === version) return user
  const fresh = await findUser(tx.db, userId)
  // accounts are also changed by the collectors' screen, which logs them under its own target kind
  const problem = await changedByOther(tx.db, 'user', userId, fresh)
  throw problem.params.userName === '?'
    ? await changedByOther(tx.db, 'collector', userId, fresh)
    : new Problem(CHANGED_BY_OTHER, problem.params, fresh)
}

/**
 * Only administrators create, edit and disable administrators, because anybody who can reset an
 * administrator's password could act as one.
 * @throws Problem G403
 */
export function refuseAboveOwn(tx: CommandTx, ...marks: string[]): void {
  if (marks.includes(ADMINISTRATOR) && staff(tx.actor).rights.roleMark !== ADMINISTRATOR)
    throw new Problem(FORBIDDEN)
}

export interface RoleOf {
  mark: string
  scope: DataScope
}

/** @throws Problem G-FIELD for an unknown role */
export async function roleOf(tx: CommandTx, roleId: string): Promise<RoleOf> {
  const { rows } = await sql<RoleOf>`
      select g.unique_mark as mark, g.data_scope as scope from sys_role g where g.id = ${roleId}`.execute(
    tx.db,
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
 * A department belongs to its agency and a group to its department. The role's data scope decides
 * which unit is required, because without it the account would see no rows. A company is required
 * as soon as one exists.
 * @throws Problem G-FIELD at the field
 */
export async function checkPlace(
  tx: CommandTx,
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
    select exists (select 1 from agency a) as any_agency, exists (select 1 from agency a
      where a.id = ${agencyId ?? null}) as agency,
      exists (select 1 from department d where d.id = ${departmentId ?? null}
        and d.agency_id = ${agencyId ?? null}) as department,
      exists (select 1 from team_group t where t.id = ${groupId ?? null}
        and t.department_id = ${departmentId ?? null}) as team`.execute(tx.db)
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

/** Notifies everybody who may see accounts, and the person. */
export async function emitUser(tx: CommandTx, userId: string): Promise<void> {
  const { rows } = await sql<{
    status: string
    version: number
  }>`select u.status, u.version from sys_user u where u.id = ${userId}`.execute(tx.db)
  const row = rows[0] as { status: string; version: number }
  tx.emit(USER_CHANGED, {
    subject: `user:${userId}`,
    version: row.version,
    rooms: [`user:${userId}`, 'menu:user'],
    data: { userId, status: row.status },
  })
}

/** The values of an account that the operate log may store: no password, no e-mail address. */
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
