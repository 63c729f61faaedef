/** Telemarketers are added, changed, opened, closed and switched. */
import { sql } from 'kysely'
import { COLLECTOR_CHANGED } from '#shared/collection/collection-live.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { FORBIDDEN, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/telemarketing/person-api.ts'
import { PERSON_TAKEN } from '#shared/telemarketing/tele-problems.ts'
import { endSessions } from '#gateway/manage/features/session/public.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { returnTasksOf } from '../desk/return-task.ts'
import { peopleOfTeam } from '../tele-scope.ts'
import { findPerson, type PersonRow, readPersonOptions } from './person-queries.ts'

const MENU = 'ele_person'

/** @throws Problem G404 for an account without telemarketing, K-DUP for a telemarketer */
export async function addPerson(
  tx: CommandTx,
  { userId, segments, capacity, allocationFlag }: InputOf<typeof api.addPerson>,
): Promise<PersonRow> {
  const actor = staff(tx.actor)
  const { accounts } = await readPersonOptions(tx.db, actor)
  if (!accounts.some((account) => account.userId === userId)) {
    await findPerson(tx.db, actor, userId)
    throw new Problem(PERSON_TAKEN, {}, { fields: { userId: 'unique' } })
  }
  const { rows } = await sql`
    insert into tele_person (user_id, segments, capacity) values (${userId}, ${segments}, ${capacity})
    on conflict (user_id) do nothing returning user_id`.execute(tx.db)
  if (rows.length === 0) throw new Problem(PERSON_TAKEN, {}, { fields: { userId: 'unique' } })
  await setFlag(tx, userId, allocationFlag)
  return saved(tx, 'addTelePerson', userId, null)
}

/** @throws Problem G404, G409 */
export async function editPerson(
  tx: CommandTx,
  { userId, version, segments, capacity, allocationFlag }: InputOf<typeof api.editPerson>,
): Promise<PersonRow> {
  const actor = staff(tx.actor)
  await sql`select 1 from tele_person p where p.user_id = ${userId} for update`.execute(tx.db)
  const before = await findPerson(tx.db, actor, userId)
  if (before.version !== version) throw await changedByOther(tx.db, 'telePerson', userId, before)
  await sql`
    update tele_person set segments = ${segments}, capacity = ${capacity}, version = version + 1,
      updated_at = clock_timestamp() where user_id = ${userId}`.execute(tx.db)
  if (before.allocationFlag !== allocationFlag) await setFlag(tx, userId, allocationFlag)
  return saved(tx, 'editTelePerson', userId, before)
}

/** Closed means skipped: the person keeps their tasks and is given no new ones. */
export function openAllocation(
  tx: CommandTx,
  { userIds, open }: InputOf<typeof api.openAllocation>,
): Promise<BulkResult> {
  return inBulk(tx, userIds, {
    type: allocationJob,
    menu: MENU,
    params: { open },
    known: knownOf(tx, userIds),
  })
}

export const allocationJob: JobType = {
  type: 'telePerson.allocation',
  async row(tx, userId, { open }) {
    const before = await personNow(tx, userId)
    if (before.allocationFlag === open) return
    await setFlag(tx, userId, open === true)
    await touched(tx, userId, 'teleAllocation', before, { allocationFlag: open })
  },
}

/** Off: sessions end at once, and open tasks go back to the pool. */
export function setPersonStatus(
  tx: CommandTx,
  { userIds, status }: InputOf<typeof api.setPersonStatus>,
): Promise<BulkResult> {
  return inBulk(tx, userIds, {
    type: statusJob,
    menu: MENU,
    params: { status },
    known: knownOf(tx, userIds),
  })
}

export const statusJob: JobType = {
  type: 'telePerson.status',
  async row(tx, userId, { status }) {
    if (userId === tx.actor.userId) throw new Problem(FORBIDDEN)
    const before = await personNow(tx, userId)
    const stored = status === 'normal' ? 'enabled' : 'disabled'
    if (before.status === status) return
    await sql`
      update sys_user set status = ${stored}, frozen_until = null, version = version + 1,
        updated_at = clock_timestamp() where id = ${userId}`.execute(tx.db)
    if (status === 'disabled') {
      await endSessions(tx, userId, 'status')
      await returnTasksOf(tx, userId)
    }
    await touched(tx, userId, 'telePersonStatus', before, { status })
  },
}

interface PersonNow {
  allocationFlag: boolean
  status: string
}

async function personNow(tx: CommandTx, userId: string): Promise<PersonNow> {
  const { rows } = await sql<PersonNow>`
    select u.allocation_flag as "allocationFlag",
      case when u.status = 'enabled' then 'normal' else u.status end as status
    from tele_person p join sys_user u on u.id = p.user_id where u.id = ${userId} for update of u`.execute(
    tx.db,
  )
  const [row] = rows
  if (!row) throw new Problem(NOT_FOUND)
  return row
}

function knownOf(tx: CommandTx, userIds: readonly string[]) {
  return sql`
    select u.id from tele_person p join sys_user u on u.id = p.user_id
    where u.id = any(${[...userIds]}::text[]) and ${peopleOfTeam(staff(tx.actor))}`
}

async function setFlag(tx: CommandTx, userId: string, open: boolean): Promise<void> {
  await sql`
    update sys_user set allocation_flag = ${open}, version = version + 1, updated_at = clock_timestamp()
    where id = ${userId}`.execute(tx.db)
}

async function touched(
  tx: CommandTx,
  userId: string,
  action: string,
  before: PersonNow,
  after: Record<string, unknown>,
): Promise<void> {
  await sql`
    update tele_person set version = version + 1, updated_at = clock_timestamp()
    where user_id = ${userId}`.execute(tx.db)
  await emitPerson(tx, userId)
  tx.log({ menu: MENU, action, targetKind: 'telePerson', targetId: userId, before, after })
}

async function saved(
  tx: CommandTx,
  action: string,
  userId: string,
  before: PersonRow | null,
): Promise<PersonRow> {
  const row = await findPerson(tx.db, staff(tx.actor), userId)
  await emitPerson(tx, userId)
  const settings = ({ segments, capacity, allocationFlag }: PersonRow) => ({
    segments,
    capacity,
    allocationFlag,
  })
  tx.log({
    action,
    targetKind: 'telePerson',
    targetId: userId,
    before: before && settings(before),
    after: settings(row),
  })
  return row
}

async function emitPerson(tx: CommandTx, userId: string): Promise<void> {
  const { rows } = await sql<{ version: number; allocation_flag: boolean; status: string }>`
    select p.version, u.allocation_flag, u.status
    from tele_person p join sys_user u on u.id = p.user_id where p.user_id = ${userId}`.execute(
    tx.db,
  )
  const [row] = rows
  if (!row) return
  tx.emit(COLLECTOR_CHANGED, {
    subject: `telePerson:${userId}`,
    version: row.version,
    rooms: [`user:${userId}`, 'menu:ele_person'],
    data: { userId, allocationFlag: row.allocation_flag, status: row.status, onDuty: true },
  })
}
