/** Writes of `stop_collection`. */
import { type RawBuilder, sql } from 'kysely'
import type { StopReason, StopState } from '#shared/collection/collection-sets.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { customerIdsOfCases } from '#gateway/manage/kernel/scope.ts'
import type { Stop } from './hold-cases.ts'

const COLUMNS = sql.raw(
  's.id, s.customer_id, s.reason, s.state, s.end_at, s.applied_by, s.decided_by_name, s.version',
)

/** roles.md 3, as a predicate over `stop_collection s`: what the caller asked for, and stops of customers with a case of his. */
export function stopsInScope(actor: StaffActor): RawBuilder<boolean> {
  if (actor.rights.scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(s.applied_by = ${actor.userId} or s.customer_id in (${customerIdsOfCases(actor)}))`
}

export async function lockStops(cx: Cx, which: RawBuilder<boolean>): Promise<Stop[]> {
  const { rows } =
    await sql<Stop>`select ${COLUMNS} from stop_collection s where ${which} order by s.id for update of s`.execute(
      cx.db,
    )
  return rows
}

export interface NewStop {
  customerId: string
  reason: StopReason
  state: StopState
  endAt: string | null
  remark: string
  ticketId?: string
  proofId?: string
  /** Who may decide decides with the asking. */
  decided: boolean
}

/** @returns null when the customer has one of this reason, ticket or proof already */
export async function insertStop(
  cx: Cx,
  { customerId, reason, state, endAt, remark, ticketId, proofId, decided }: NewStop,
): Promise<Stop | null> {
  const { userId, userName } = cx.actor
  const { rows } = await sql<Stop>`
    insert into stop_collection as s (customer_id, reason, end_at, state, ticket_id, proof_id, applied_by, applied_by_name, applied_at, start_at, decided_by, decided_by_name, decided_at, remark)
    values (${customerId}, ${reason}, ${endAt}::date, ${state}, ${ticketId ?? null}, ${proofId ?? null}, ${userId}, ${userName}, clock_timestamp(), clock_timestamp(), ${decided ? userId : null}, ${decided ? userName : null},
      ${decided ? sql`clock_timestamp()` : null}, ${remark})
    on conflict do nothing
    returning ${COLUMNS}`.execute(cx.db)
  return rows[0] ?? null
}

/** The decision of a pending stop. */
export async function decideStop(
  cx: Cx,
  stop: Stop,
  state: 'active' | 'rejected',
  reason: string | null,
): Promise<Stop> {
  return change(
    cx,
    stop,
    sql`state = ${state}, decided_by = ${cx.actor.userId}, decided_by_name = ${cx.actor.userName}, decided_at = clock_timestamp(), decide_remark = ${reason}, start_at = case when ${state}::text = 'active' then clock_timestamp() else s.start_at end,
    ended_at = case when ${state}::text = 'rejected' then clock_timestamp() end`,
  )
}

export async function closeStop(cx: Cx, stop: Stop, remark: string | null): Promise<Stop> {
  return change(
    cx,
    stop,
    sql`state = 'ended', ended_at = clock_timestamp(), decide_remark = coalesce(${remark}, s.decide_remark)`,
  )
}

async function change(cx: Cx, stop: Stop, set: RawBuilder<unknown>): Promise<Stop> {
  const { rows } =
    await sql<Stop>`update stop_collection s set ${set}, version = s.version + 1 where s.id = ${stop.id} returning ${COLUMNS}`.execute(
      cx.db,
    )
  return rows[0] as Stop
}
