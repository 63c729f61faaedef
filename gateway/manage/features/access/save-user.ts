import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { JOB_NUMBER_EXISTS, NOT_YOURSELF, USER_EXISTS } from '#shared/access/access-problems.ts'
import type * as api from '#shared/access/users-api.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import { isPassword } from '#shared/session/password-rule.ts'
import { MENU_CHANGED } from '#shared/session/session-live.ts'
import { PASSWORD_FORMAT } from '#shared/session/session-problems.ts'
import {
  openCollector,
  restCollector,
  emitCollector,
} from '#gateway/manage/features/collection/public.ts'
import { hashPassword, refuseUnfitPassword } from '#gateway/manage/features/session/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { keepAnAdministrator } from './last-administrator.ts'
import {
  checkPlace,
  isCollectorRole,
  lockUser,
  loggedUser,
  refuseAboveOwn,
  roleOf,
  emitUser,
} from './user-rules.ts'

/** Releases the claims and leases of a person who stops working, in the same transaction. */
export type WhenStaffStops = (tx: CommandTx, userId: string) => Promise<void>
export type Releases = readonly WhenStaffStops[]

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    whenStaffStops: WhenStaffStops
  }
}

/** @throws Problem G403, U-DUP, U-JOB, P-FMT, P-WEAK, G-FIELD */
export async function addUser(tx: CommandTx, input: InputOf<typeof api.addUser>): Promise<string> {
  if (!isPassword(input.password))
    throw new Problem(PASSWORD_FORMAT, {}, { fields: { password: 'access:fault.password' } })
  refuseUnfitPassword(input.password, [input.account, input.nickname, input.userName ?? ''])
  const role = await roleOf(tx, input.roleId)
  refuseAboveOwn(tx, role.mark)
  await checkPlace(tx, role, input)
  await refuseJobNumber(tx, input.jobNumber, null)
  const isCollector = isCollectorRole(role.mark)
  const status = isCollector && input.status === 'enabled' ? 'normal' : input.status
  const passwordHash = await hashPassword(input.password)
  const { rows } = await sql<{ id: string }>`
    insert into sys_user (account, nickname, user_name, password_hash, email, job_number, role_id, language,
      status, agency_id, department_id, group_id, allocation_flag, must_change)
    values (${input.account}, ${input.nickname}, ${input.userName ?? input.nickname}, ${passwordHash},
      ${input.email ?? null}, ${input.jobNumber ?? null}, ${input.roleId}, ${input.language}, ${status},
      ${input.agencyId ?? null}, ${input.departmentId ?? null}, ${input.groupId ?? null},
        ${input.allocationFlag}, true)
    on conflict (lower(account)) do nothing returning id`.execute(tx.db)
  const userId = rows[0]?.id
  if (userId === undefined)
    throw new Problem(USER_EXISTS, {}, { fields: { account: 'access:fault.taken' } })
  if (isCollector) await openCollector(tx, userId)
  await emitUser(tx, userId)
  tx.log({
    action: 'add',
    targetKind: 'user',
    targetId: userId,
    after: {
      account: input.account,
      ...loggedUser({
        nickname: input.nickname,
        role_mark: role.mark,
        status,
        agency_id: input.agencyId ?? null,
        department_id: input.departmentId ?? null,
        group_id: input.groupId ?? null,
        allocation_flag: input.allocationFlag,
        job_number: input.jobNumber ?? null,
        language: input.language,
      }),
    },
  })
  return userId
}

/**
 * A new role or unit takes effect at once: menu, buttons and rooms of open sessions change, and
 * claims of the old role are released.
 * @throws Problem G403, G404, G409, G-FIELD, U-SELF, U-LAST, U-JOB
 */
export async function editUser(
  tx: CommandTx,
  { userId, version, ...input }: InputOf<typeof api.editUser>,
  releases: Releases,
): Promise<void> {
  const before = await lockUser(tx, userId, version)
  const role = await roleOf(tx, input.roleId)
  refuseAboveOwn(tx, before.role_mark, role.mark)
  const changesRole = input.roleId !== before.role_id
  if (changesRole && staff(tx.actor).userId === userId) throw new Problem(NOT_YOURSELF)
  if (changesRole && before.role_mark === ADMINISTRATOR) await keepAnAdministrator(tx, userId)
  await checkPlace(tx, role, input)
  await refuseJobNumber(tx, input.jobNumber, userId)
  const isCollector = isCollectorRole(role.mark)
  const status =
    before.status === 'enabled' || before.status === 'normal'
      ? isCollector
        ? 'normal'
        : 'enabled'
      : before.status
  if (isCollectorRole(before.role_mark) && !isCollector)
    await restCollector(tx, userId, { stays: false })
  await sql`
    update sys_user set nickname = ${input.nickname}, user_name = ${input.userName ?? input.nickname},
      email = ${input.email ?? null}, job_number = ${input.jobNumber ?? null}, role_id = ${input.roleId},
      language = ${input.language}, status = ${status},
      agency_id = ${input.agencyId ?? null}, department_id = ${input.departmentId ?? null},
        group_id = ${input.groupId ?? null}, allocation_flag = ${input.allocationFlag},
        version = version + 1, updated_at = clock_timestamp()
    where id = ${userId}`.execute(tx.db)
  if (isCollector)
    await (isCollectorRole(before.role_mark)
      ? emitCollector(tx, userId)
      : openCollector(tx, userId))
  if (changesRole) for (const release of releases) await release(tx, userId)
  const moves =
    before.agency_id !== (input.agencyId ?? null) ||
    before.department_id !== (input.departmentId ?? null) ||
    before.group_id !== (input.groupId ?? null)
  if (changesRole || moves) {
    tx.emit(MENU_CHANGED, {
      subject: `user:${userId}`,
      rooms: [`user:${userId}`],
      data: { roleId: input.roleId },
      recheck: true,
    })
    tx.afterCommit(() => tx.context.forgetSessions(userId))
  }
  await emitUser(tx, userId)
  tx.log({
    action: 'edit',
    targetKind: 'user',
    targetId: userId,
    before: loggedUser(before),
    after: loggedUser({
      nickname: input.nickname,
      role_mark: role.mark,
      status,
      agency_id: input.agencyId ?? null,
      department_id: input.departmentId ?? null,
      group_id: input.groupId ?? null,
      allocation_flag: input.allocationFlag,
      job_number: input.jobNumber ?? null,
      language: input.language,
    }),
  })
}

async function refuseJobNumber(
  tx: CommandTx,
  jobNumber: string | undefined,
  userId: string | null,
): Promise<void> {
  if (jobNumber === undefined) return
  const { rows } = await sql`
      select from sys_user u where u.job_number = ${jobNumber} and u.id is distinct from ${userId} limit 1`.execute(
    tx.db,
  )
  if (rows.length > 0)
    throw new Problem(JOB_NUMBER_EXISTS, {}, { fields: { jobNumber: 'access:fault.taken' } })
}
