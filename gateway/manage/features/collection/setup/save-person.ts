/** A collector: the account, and what it may work on. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { COLLECTOR_CHANGED } from '#shared/collection/collection-live.ts'
import { NAME_TAKEN } from '#shared/collection/collection-problems.ts'
import type * as api from '#shared/collection/setup-api.ts'
import { isPassword } from '#shared/session/password-rule.ts'
import { PASSWORD_FORMAT } from '#shared/session/session-problems.ts'
import {
  endSessions,
  hashPassword,
  refuseUnfitPassword,
} from '#gateway/manage/features/session/public.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import { isOnDuty } from './duty.ts'
import { findPerson } from './person-queries.ts'

type Fields = Omit<InputOf<typeof api.editPerson>, 'userId' | 'version'>

/** @throws Problem K-DUP, P-FMT, P-WEAK; G-FIELD, also for a unit outside the caller's own */
export async function addPerson(
  tx: CommandTx,
  input: InputOf<typeof api.addPerson>,
): Promise<string> {
  const actor = staff(tx.actor)
  await checkUnit(tx, actor, input)
  if (!isPassword(input.password))
    throw new Problem(PASSWORD_FORMAT, {}, { fields: { password: 'format' } })
  refuseUnfitPassword(input.password, [input.account, input.name])
  const passwordHash = await hashPassword(input.password)
  const { rows } = await sql<{ id: string }>`
    insert into sys_user (account, nickname, user_name, password_hash, role_id, status, agency_id,
      department_id, group_id, allocation_flag, must_change)
    select ${input.account}, ${input.name}, ${input.name}, ${passwordHash}, r.id, 'normal',
      ${input.agencyId}, ${input.departmentId}, ${input.groupId}, ${input.allocationFlag}, true
      from sys_role r where r.unique_mark = ${input.roleMark}
    on conflict (lower(account)) do nothing returning id`.execute(tx.db)
  const userId = rows[0]?.id
  if (userId === undefined) throw new Problem(NAME_TAKEN, {}, { fields: { account: 'taken' } })
  await sql`
    insert into collector (user_id, stage_ids, address_book_visible, weight, seat_number, cert_no,
      cert_expiry, capacity)
    values (${userId}, ${input.stageIds}, ${input.addressBookVisible}, ${input.weight},
      ${input.seatNumber ?? null}, ${input.certNo ?? null}, ${input.certExpiry ?? null}, ${input.capacity})`.execute(
    tx.db,
  )
  await emitCollector(tx, userId)
  tx.log({ action: 'add', targetKind: 'collector', targetId: userId, after: logged(input) })
  return userId
}

/**
 * Another unit or role ends the person's sessions, because their rights change.
 * @throws Problem G404, G409; G-FIELD, also for a unit outside the caller's own
 */
export async function editPerson(
  tx: CommandTx,
  { userId, version, ...fields }: InputOf<typeof api.editPerson>,
): Promise<void> {
  const actor = staff(tx.actor)
  const before = await findPerson(tx.db, actor, userId)
  const { rows } = await sql<{
    version: number
  }>`select k.version from collector k where k.user_id = ${userId} for update`.execute(tx.db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  if (rows[0].version !== version) throw await changedByOther(tx.db, 'collector', userId, before)
  await checkUnit(tx, actor, fields)
  await sql`
    update sys_user set user_name = ${fields.name}, role_id = (select r.id from sys_role r
      where r.unique_mark = ${fields.roleMark}), agency_id = ${fields.agencyId},
      department_id = ${fields.departmentId}, group_id = ${fields.groupId},
      allocation_flag = ${fields.allocationFlag}, version = version + 1, updated_at = clock_timestamp()
        where id = ${userId}`.execute(tx.db)
  await sql`
    update collector set stage_ids = ${fields.stageIds},
      address_book_visible = ${fields.addressBookVisible}, weight = ${fields.weight},
      seat_number = ${fields.seatNumber ?? null}, cert_no = ${fields.certNo ?? null},
      cert_expiry = ${fields.certExpiry ?? null},
      capacity = ${fields.capacity}, version = version + 1, updated_at = clock_timestamp()
        where user_id = ${userId}`.execute(tx.db)
  if (
    before.roleMark !== fields.roleMark ||
    before.agencyId !== fields.agencyId ||
    before.departmentId !== fields.departmentId ||
    before.groupId !== fields.groupId
  )
    await endSessions(tx, userId, 'role')
  await emitCollector(tx, userId)
  tx.log({
    action: 'edit',
    targetKind: 'collector',
    targetId: userId,
    before: logged(before),
    after: logged(fields),
  })
}

/**
 * The unit must exist inside the caller's own: the refusal does not reveal units of others. Stages
 * must exist.
 */
async function checkUnit(
  tx: CommandTx,
  { rights }: StaffActor,
  fields: Pick<Fields, 'agencyId' | 'departmentId' | 'groupId' | 'stageIds'>,
): Promise<void> {
  const isInside =
    rights.scope === 'all' ||
    (rights.scope === 'agency' && rights.agencyId === fields.agencyId) ||
    (rights.scope === 'department' && rights.departmentId === fields.departmentId) ||
    (rights.scope === 'group' && rights.groupId === fields.groupId)
  const { rows } = await sql<{ fits: boolean; stages: number }>`
    select exists (select 1 from team_group g where g.id = ${fields.groupId}
      and g.department_id = ${fields.departmentId} and g.agency_id = ${fields.agencyId}) as fits,
      (select count(*)::int from stage s where s.stage_id = any(${fields.stageIds})) as stages`.execute(
    tx.db,
  )
  if (!isInside || !rows[0]?.fits)
    throw new Problem(INVALID_FIELDS, {}, { fields: { groupId: 'unknown' } })
  if (rows[0].stages !== fields.stageIds.length)
    throw new Problem(INVALID_FIELDS, {}, { fields: { stageIds: 'unknown' } })
}

type Logged = Pick<
  DataOf<typeof api.addPerson>,
  | 'roleMark'
  | 'agencyId'
  | 'departmentId'
  | 'groupId'
  | 'stageIds'
  | 'allocationFlag'
  | 'addressBookVisible'
  | 'weight'
  | 'capacity'
> & { certExpiry?: string | null | undefined }

/** Fields for the log: no password, no phone number. */
function logged({
  roleMark,
  agencyId,
  departmentId,
  groupId,
  stageIds,
  allocationFlag,
  addressBookVisible,
  weight,
  certExpiry,
  capacity,
}: Logged): unknown {
  return {
    roleMark,
    agencyId,
    departmentId,
    groupId,
    stageIds,
    allocationFlag,
    addressBookVisible,
    weight,
    certExpiry,
    capacity,
  }
}

/**
 * A collector's flag, status, unit or duty changed: emits to them and everyone who sees their unit.
 */
export async function emitCollector(tx: CommandTx, userId: string): Promise<void> {
  const { rows } = await sql<{
    allocation_flag: boolean
    status: string
    on_duty: boolean
    agency_id: string | null
    department_id: string | null
    group_id: string | null
    version: number
  }>`
    select u.allocation_flag, u.status, ${isOnDuty('u.id')} as on_duty, u.agency_id, u.department_id,
      u.group_id, k.version from sys_user u join collector k on k.user_id = u.id where u.id = ${userId}`.execute(
    tx.db,
  )
  const row = rows[0]
  if (!row) return
  tx.emit(COLLECTOR_CHANGED, {
    subject: `collector:${userId}`,
    version: row.version,
    rooms: [
      `user:${userId}`,
      'scope:all',
      'menu:urge_person',
      ...(row.agency_id === null ? [] : [`scope:agency:${row.agency_id}`]),
      ...(row.department_id === null ? [] : [`scope:dept:${row.department_id}`]),
      ...(row.group_id === null ? [] : [`scope:group:${row.group_id}`]),
    ],
    data: { userId, allocationFlag: row.allocation_flag, status: row.status, onDuty: row.on_duty },
  })
}
