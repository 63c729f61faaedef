/**
 * Moves cases between people and units on request: inside the own unit at once, across units after
 * another person's approval.
 */
import { sql } from 'kysely'
import type {
  decideChange as decideCall,
  launchChange as launchCall,
} from '#shared/collection/allocation-api.ts'
import { CASE_STATE } from '#shared/collection/collection-problems.ts'
import { CHANGE_CHANGED } from '#shared/collection/collection-live.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, OWN_REQUEST, Problem } from '#shared/kernel/problem.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { casesInScope } from '../case-scope.ts'
import { grouped, type ManyMove, moveCases, emitMoved } from '../case-moves.ts'
import { ENDS, endOf } from './change-ends.ts'
import { changesInScope, findChange } from './change-queries.ts'
import { type Change, movesOf } from './change-moves.ts'

const MENU = 'change_case'

/**
 * @throws Problem G404 for an unknown end, or a giver outside the caller's unit; G-FIELD; C-NONE when
 * no receiver takes any of the cases
 */
export async function launchChange(
  tx: CommandTx,
  input: InputOf<typeof launchCall>,
): Promise<DataOf<typeof launchCall>> {
  const actor = staff(tx.actor)
  const { from, to } = ENDS[input.transferType]
  const toId = to === null ? null : (input.toId ?? null)
  if (to !== null && toId === null)
    throw new Problem(INVALID_FIELDS, {}, { fields: { toId: 'required' } })
  if (toId === input.fromId) throw new Problem(INVALID_FIELDS, {}, { fields: { toId: 'same' } })
  const giver = await endOf(tx.db, actor, from, input.fromId)
  const taker = to === null ? null : await endOf(tx.db, actor, to, toId ?? '')
  if (!giver?.inside || (to !== null && taker === null)) throw new Problem(NOT_FOUND)
  const filter = {
    order: input.order,
    ...(input.caseIds === undefined ? {} : { caseIds: input.caseIds }),
  }
  const { rows } = await sql<{ id: string }>`
    insert into case_change (transfer_type, from_user_id, from_unit_id, to_user_id, to_unit_id, unit_ids,
      count, filter, reason, launched_by, launched_by_name)
    values (${input.transferType}, ${from === 'user' ? input.fromId : null},
      ${from === 'user' ? null : input.fromId}, ${to === 'user' ? toId : null},
      ${to === 'user' ? null : toId}, ${[...new Set([...giver.units, ...(taker?.units ?? [])])]},
      ${input.count},
      ${JSON.stringify(filter)}::jsonb, ${input.reason}, ${actor.userId}, ${actor.userName}) returning id`.execute(
    tx.db,
  )
  const changeId = (rows[0] as { id: string }).id
  const change = await lockChange(tx, changeId)
  tx.log({
    menu: MENU,
    action: 'launch',
    targetKind: 'change',
    targetId: changeId,
    after: {
      transferType: input.transferType,
      fromId: input.fromId,
      toId,
      count: input.count,
      reason: input.reason,
    },
  })
  if (taker === null || taker.inside)
    await carryOut(tx, change, await movesOf(tx, change, casesInScope(actor)))
  else {
    emitChange(tx, change, 0)
    await notifyDeciders(tx, change)
  }
  return findChange(tx.db, changeId)
}

/**
 * @throws Problem G-FIELD for a rejection without a reason; `failed` has G404, G-SELF, C-STATE, C-NONE
 */
export async function decideChange(
  tx: CommandTx,
  { changeIds, result, reason }: InputOf<typeof decideCall>,
): Promise<BulkResult> {
  if (result === 'rejected' && reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const known = sql`
    select g.id from case_change g where g.id = any(${changeIds}::text[])
      and ${changesInScope(staff(tx.actor))}`
  return inBulk(tx, changeIds, {
    type: decideChangeJob,
    menu: MENU,
    params: { result, reason: reason ?? null },
    known,
  })
}

export const decideChangeJob: JobType = {
  type: 'change.decide',
  async row(tx, changeId, params) {
    const result = params.result === 'approved' ? 'approved' : 'rejected'
    const change = await lockChange(tx, changeId)
    if (change.state !== 'pending')
      throw new Problem(CASE_STATE, { state: change.state }, await findChange(tx.db, changeId))
    if (change.launched_by === tx.actor.userId) throw new Problem(OWN_REQUEST)
    // refused before anything is written
    const moves = result === 'approved' ? await movesOf(tx, change, sql<boolean>`true`) : []
    await sql`
      update case_change set state = ${result}, decided_by = ${tx.actor.userId},
        decided_by_name = ${tx.actor.userName}, decided_at = clock_timestamp(),
        decide_reason = ${params.reason}, version = version + 1 where id = ${changeId}`.execute(
      tx.db,
    )
    const decided = await lockChange(tx, changeId)
    tx.log({
      menu: MENU,
      action: 'decide',
      targetKind: 'change',
      targetId: changeId,
      after: { result, reason: params.reason },
    })
    if (result === 'approved') await carryOut(tx, decided, moves)
    else emitChange(tx, decided, 0)
    tx.notify({
      userId: change.launched_by,
      kind: 'decision',
      titleKey: `collection:notification.change.${result}`,
      params: { changeId, userName: tx.actor.userName },
      route: '/order_management/change_case',
    })
  },
}

async function lockChange(tx: CommandTx, changeId: string): Promise<Change> {
  const { rows } = await sql<Change>`
    select g.id, g.transfer_type, g.from_user_id, g.from_unit_id, g.to_user_id, g.to_unit_id, g.unit_ids,
      g.count, g.filter, g.reason, g.state, g.launched_by, g.version from case_change g
      where g.id = ${changeId} for update`.execute(tx.db)
  return rows[0] as Change
}

async function carryOut(tx: CommandTx, change: Change, moves: readonly ManyMove[]): Promise<void> {
  await moveCases(tx, moves, {
    cause: ENDS[change.transfer_type].to === null ? 'recall' : 'change',
    reason: change.reason,
  })
  await sql`
    update case_change set state = 'done', moved_count = ${moves.length}, version = version + 1,
      decided_at = coalesce(decided_at, clock_timestamp()) where id = ${change.id}`.execute(tx.db)
  emitMoved(tx, `change:${change.id}`, moves, { reason: 'leader' })
  emitChange(tx, { ...change, state: 'done', version: change.version + 1 }, moves.length)
  tx.log({
    menu: MENU,
    action: 'change',
    targetKind: 'change',
    targetId: change.id,
    after: {
      cases: moves.map(({ locked, place }) => [locked.id, locked.collector_id, place.collector_id]),
    },
  })
  for (const [userId, some] of grouped(moves, ({ place }) => place.collector_id ?? ''))
    notify(tx, userId, 'assigned', some.length)
  for (const [userId, some] of grouped(moves, ({ locked }) => locked.collector_id ?? ''))
    notify(tx, userId, 'taken', some.length)
}

function notify(tx: CommandTx, userId: string, kind: 'assigned' | 'taken', n: number): void {
  if (userId === '' || userId === tx.actor.userId) return
  tx.notify({
    userId,
    kind,
    titleKey: `collection:notification.${kind === 'assigned' ? 'casesAllocated' : 'casesRecalled'}`,
    params: { n },
    route:
      kind === 'assigned'
        ? '/loaned_management/pedding_list?view=newToday'
        : '/loaned_management/pedding_list',
  })
}

/** Managers, and supervisors of a unit it touches. */
async function notifyDeciders(tx: CommandTx, change: Change): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select u.id from sys_user u join sys_role g on g.id = u.role_id
    where u.status in ('enabled', 'normal')
      and (g.unique_mark = 'manager'
      or (g.unique_mark = 'internal_supervisor' and u.department_id = any(${change.unit_ids}::text[])))
      and u.id <> ${change.launched_by} order by u.id`.execute(tx.db)
  for (const { id: userId } of rows)
    tx.notify({
      userId,
      kind: 'approval',
      titleKey: 'collection:notification.change.asked',
      params: { changeId: change.id, n: change.count, userName: tx.actor.userName },
      route: '/order_management/change_case',
    })
}

function emitChange(tx: CommandTx, change: Change, movedCount: number): void {
  const units = change.unit_ids.flatMap((id) => [
    `scope:agency:${id}`,
    `scope:dept:${id}`,
    `scope:group:${id}`,
  ])
  tx.emit(CHANGE_CHANGED, {
    subject: `change:${change.id}`,
    version: change.version,
    rooms: ['scope:all', 'menu:change_case', `user:${change.launched_by}`, ...units],
    data: { changeId: change.id, state: change.state, movedCount },
  })
}
