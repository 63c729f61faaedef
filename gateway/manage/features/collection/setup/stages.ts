/** Stages: contiguous bounds, who works them, how many cases they have. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { STAGE_CHANGED } from '#shared/collection/collection-live.ts'
import { IN_USE, NAME_TAKEN, STAGE_BOUNDS } from '#shared/collection/collection-problems.ts'
import { boundsFault, type StageBounds } from '#shared/collection/stage-bounds.ts'
import type * as api from '#shared/collection/setup-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import { IS_CERTIFIED, IS_ENABLED, isOnDuty } from './duty.ts'
import { CASE_COUNTS } from '../figures/case-counts.ts'
import { peopleInScope } from './unit-scope.ts'

type Stage = DataOf<typeof api.addStage>
type Fields = Omit<InputOf<typeof api.addStage>, 'stageId'>

/** Collectors are counted in the caller's scope, cases in full, as figures of the stage. */
export async function findStages(
  db: Db,
  actor: StaffActor,
  stageId: string | null = null,
): Promise<Stage[]> {
  const { rows } = await sql<Stage>`
    select s.stage_id as "stageId", s.name, s.min_days as "minOverdueDays", s.max_days as "maxOverdueDays",
      s.address_book_visible as "addressBookVisible", s.allocation_state as "allocationState", s.mode,
      s.capacity, s.status, s.version,
      (select coalesce(sum(n.going), 0)::int from ${CASE_COUNTS} n
        where n.stage_id = s.stage_id) as "caseCount",
      coalesce(p.all_of, 0) as "collectorCount", coalesce(p.working, 0) as "allocationCollectorCount"
    from stage s
    left join lateral (
      select count(*)::int as all_of, count(*) filter (where ${IS_ENABLED} and u.allocation_flag
        and ${IS_CERTIFIED} and ${isOnDuty('u.id')})::int as working
      from collector k join sys_user u on u.id = k.user_id where s.stage_id = any(k.stage_ids)
        and ${peopleInScope(actor)}
    ) p on true
    where ${stageId === null ? sql`true` : sql`s.stage_id = ${stageId}`}
    order by s.min_days, s.stage_id`.execute(db)
  return rows
}

/** @throws Problem K-DUP, A-BND with the stages concerned in `data` */
export async function addStage(
  tx: CommandTx,
  { stageId, ...fields }: InputOf<typeof api.addStage>,
): Promise<void> {
  await refuseTaken(tx, stageId, fields.name, true)
  await checkBounds(tx, stageId, fields)
  await sql`
    insert into stage (stage_id, name, min_days, max_days, address_book_visible, mode, capacity, status,
      recall_after_days, ptp_max_days, first_contact_hours)
    values (${stageId}, ${fields.name}, ${fields.minOverdueDays}, ${fields.maxOverdueDays},
      ${fields.addressBookVisible}, ${fields.mode}, ${fields.capacity}, ${fields.status}, 2, 7, 24)`.execute(
    tx.db,
  )
  emitStage(tx, stageId, 'allocated')
  tx.log({ action: 'add', targetKind: 'stage', targetId: stageId, after: fields })
}

/** @throws Problem G404, G409, K-DUP, A-BND, K-USED when a stage with cases is switched off */
export async function editStage(
  tx: CommandTx,
  { stageId, version, ...fields }: InputOf<typeof api.editStage>,
): Promise<void> {
  const { rows } = await sql<{
    version: number
    allocation_state: string
    before: unknown
    cases: boolean
  }>`
    select s.version, s.allocation_state, to_jsonb(s) as before, exists (select 1 from collection_case c
      where c.stage_id = s.stage_id
        and c.state in ('unallocated', 'allocating', 'allocated', 'promised', 'held')) as cases from stage s
      where s.stage_id = ${stageId} for update`.execute(tx.db)
  const stage = rows[0]
  if (!stage) throw new Problem(NOT_FOUND)
  if (stage.version !== version)
    throw await changedByOther(
      tx.db,
      'stage',
      stageId,
      (await findStages(tx.db, staff(tx.actor), stageId))[0],
    )
  if (fields.status === 'disabled' && stage.cases) throw new Problem(IN_USE)
  await refuseTaken(tx, stageId, fields.name, false)
  await checkBounds(tx, stageId, fields)
  await sql`
    update stage set name = ${fields.name}, min_days = ${fields.minOverdueDays},
      max_days = ${fields.maxOverdueDays}, address_book_visible = ${fields.addressBookVisible},
      mode = ${fields.mode}, capacity = ${fields.capacity}, status = ${fields.status},
      version = version + 1, updated_at = clock_timestamp() where stage_id = ${stageId}`.execute(
    tx.db,
  )
  emitStage(tx, stageId, stage.allocation_state)
  tx.log({
    action: 'edit',
    targetKind: 'stage',
    targetId: stageId,
    before: stage.before,
    after: fields,
  })
}

function emitStage(tx: CommandTx, stageId: string, allocationState: string): void {
  tx.emit(STAGE_CHANGED, {
    subject: `stage:${stageId}`,
    rooms: ['scope:all', 'menu:overdue_stage'],
    data: { stageId, allocationState },
  })
}

async function refuseTaken(
  tx: CommandTx,
  stageId: string,
  name: string,
  isNew: boolean,
): Promise<void> {
  const { rows } = await sql<{
    taken: boolean
  }>`
    select exists (
      select 1
      from stage s
      where (${isNew} and s.stage_id = ${stageId}) or (s.name = ${name} and s.stage_id <> ${stageId})
    ) as taken`.execute(tx.db)
  if (rows[0]?.taken) throw new Problem(NAME_TAKEN)
}

async function checkBounds(tx: CommandTx, stageId: string, fields: Fields): Promise<void> {
  // one edit at a time: two concurrent ones could each fit and together leave a gap
  await sql`select pg_advisory_xact_lock(7010)`.execute(tx.db)
  const { rows } = await sql<StageBounds & { enabled: boolean }>`
    select s.stage_id as "stageId", s.min_days as min, s.max_days as max, s.status = 'enabled' as enabled
    from stage s
    where s.stage_id <> ${stageId}`.execute(tx.db)
  const stages = rows.filter((stage) => stage.enabled)
  if (fields.status === 'enabled')
    stages.push({ stageId, min: fields.minOverdueDays, max: fields.maxOverdueDays, enabled: true })
  // a disabled stage may overlap others, but its own end must come after its beginning
  const isInverted = fields.maxOverdueDays !== null && fields.maxOverdueDays < fields.minOverdueDays
  const fault = isInverted ? [stageId] : boundsFault(stages)
  if (fault)
    throw new Problem(
      STAGE_BOUNDS,
      {},
      { stages: fault, fields: { minOverdueDays: 'bounds', maxOverdueDays: 'bounds' } },
    )
}
