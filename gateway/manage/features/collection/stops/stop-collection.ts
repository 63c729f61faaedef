/** Stops that people request, decide and end. */
import { sql } from 'kysely'
import { STOP_EXISTS, STOP_STATE } from '#shared/collection/collection-problems.ts'
import { HUMANE_STOPS } from '#shared/collection/collection-sets.ts'
import type {
  addStop as addCall,
  decideStops as decideCall,
  resumeStops as resumeCall,
} from '#shared/collection/stops-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, OWN_REQUEST, Problem } from '#shared/kernel/problem.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { filesInLog } from '#gateway/manage/kernel/kept-files.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { customerInScope } from '#gateway/manage/features/customers/public.ts'
import { holdCases, resumeCases, type Stop, emitStop } from './hold-cases.ts'
import { type StopRow, stopRow } from './stop-row.ts'
import { attachFiles } from './stop-files.ts'
import { closeStop, decideStop, insertStop, lockStops, stopsInScope } from './stop-store.ts'

const MENU = 'stop_collection'
/** Longest stop with an end date, days. */
const MOST_DAYS = 180

/**
 * @throws Problem G404 for a customer outside the caller's scope, G-FIELD for an end that is past or
 * too far, C-STOPDUP
 */
export async function addStop(
  tx: CommandTx,
  { userId, reason, endTime, remark }: InputOf<typeof addCall>,
  files: readonly Upload[],
): Promise<StopRow> {
  const actor = staff(tx.actor)
  const visible =
    await sql`select from customer c where c.id = ${userId} and ${customerInScope(actor)}`.execute(
      tx.db,
    )
  if (visible.rows.length === 0) throw new Problem(NOT_FOUND)
  const today = istDay(await tx.now())
  if (endTime !== undefined && (endTime < today || endTime > addDays(today, MOST_DAYS)))
    throw new Problem(
      INVALID_FIELDS,
      {},
      { fields: { endTime: endTime < today ? 'past' : 'tooFar' } },
    )
  const mayDecide = actor.rights.permissions.has('stop_collection:decide')
  const state = mayDecide || HUMANE_STOPS.includes(reason) ? 'active' : 'pending'
  const stop = await insertStop(tx, {
    customerId: userId,
    reason,
    state,
    endAt: endTime ?? null,
    remark,
    decided: mayDecide,
  })
  if (stop === null) throw new Problem(STOP_EXISTS)
  await attachFiles(tx, stop.id, files)
  if (state === 'active') await holdCases(tx, stop)
  else emitStop(tx, stop, null)
  logStop(tx, 'add', stop, files.length === 0 ? {} : { files: filesInLog(files) })
  return stopRow(tx.db, stop.id)
}

/**
 * @throws Problem G-FIELD for a rejection without a reason; `failed` has G404, G-SELF, C-STOPST per
 * row
 */
export async function decideStops(
  tx: CommandTx,
  { stopIds, result, reason }: InputOf<typeof decideCall>,
): Promise<BulkResult> {
  if (result === 'rejected' && reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  return eachStop(tx, stopIds, decideJob, { result, reason: reason ?? null })
}

/** Throws nothing; `failed` has G404 and C-STOPST per row. */
export async function resumeStops(
  tx: CommandTx,
  { stopIds, remark }: InputOf<typeof resumeCall>,
): Promise<BulkResult> {
  return eachStop(tx, stopIds, resumeJob, { remark })
}

export const decideJob: JobType = {
  type: 'stop.decide',
  async row(tx, stopId, params) {
    const stop = await lockInState(tx, stopId, 'pending')
    if (stop.applied_by === tx.actor.userId) throw new Problem(OWN_REQUEST)
    const decided = await decideStop(
      tx,
      stop,
      params.result === 'active' ? 'active' : 'rejected',
      params.reason === null ? null : String(params.reason),
    )
    if (decided.state === 'active') await holdCases(tx, decided)
    else emitStop(tx, decided, null)
    notifyApplicant(tx, decided)
    logStop(tx, 'decide', decided)
  },
}

export const resumeJob: JobType = {
  type: 'stop.resume',
  async row(tx, stopId, params) {
    const stop = await closeStop(tx, await lockInState(tx, stopId, 'active'), String(params.remark))
    await resumeCases(tx, stop)
    logStop(tx, 'resume', stop)
  },
}

function eachStop(
  tx: CommandTx,
  stopIds: readonly string[],
  type: JobType,
  params: Record<string, unknown>,
): Promise<BulkResult> {
  return inBulk(tx, stopIds, {
    type,
    menu: MENU,
    params,
    known: sql`
      select s.id from stop_collection s where s.id = any(${[...stopIds]}::text[])
        and ${stopsInScope(staff(tx.actor))}`,
  })
}

async function lockInState(
  tx: CommandTx,
  stopId: string,
  state: 'pending' | 'active',
): Promise<Stop> {
  const [stop] = await lockStops(tx, sql<boolean>`s.id = ${stopId}`)
  if (!stop) throw new Problem(NOT_FOUND)
  if (stop.state !== state) throw new Problem(STOP_STATE, { state: stop.state })
  return stop
}

function notifyApplicant(tx: CommandTx, stop: Stop): void {
  if (stop.applied_by === null || stop.applied_by === tx.actor.userId) return
  tx.notify({
    userId: stop.applied_by,
    kind: 'decision',
    titleKey: `collection:notification.${stop.state === 'active' ? 'stopApproved' : 'stopRejected'}`,
    params: { stopId: stop.id, userName: tx.actor.userName },
    route: '/loaned_management/stop_collection',
  })
}

function logStop(tx: CommandTx, action: string, stop: Stop, more: object = {}): void {
  tx.log({
    menu: MENU,
    action,
    targetKind: 'stop',
    targetId: stop.id,
    after: { reason: stop.reason, state: stop.state, endTime: stop.end_at, ...more },
  })
}
