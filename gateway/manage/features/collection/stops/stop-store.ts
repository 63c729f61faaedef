/** Writes of `stop_collection`. */
import { type RawBuilder, sql } from 'kysely'
import type { StopReason, StopState } from '#shared/collection/collection-sets.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { customerIdsOfCases } from '../case-scope.ts'
import type { Stop } from './hold-cases.ts'

const COLUMNS = sql.raw(
  's.id, s.customer_id, s.reason, s.state, s.end_at, s.applied_by, s.decided_by_name, s.version',
)

/**
 * The caller's own requests, and stops of customers with a case in scope, as a predicate over
 * `stop_collection s`.
 */
export function stopsInScope(actor: StaffActor): RawBuilder<boolean> {
  if (actor.rights.scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(s.applied_by = ${actor.userId} or s.customer_id = any(array(${customerIdsOfCases(actor)})))`
}

export async function lockStops(tx: CommandTx, which: RawBuilder<boolean>): Promise<Stop[]> {
  const { rows } = await sql<Stop>`
      select ${COLUMNS} from stop_collection s where ${which} order by s.id for update of s`.execute(
    tx.db,
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
  /** A requester who may decide approves it with the request. */
  decided: boolean
}

/** @returns null when the customer already has one of this reason, ticket or proof */
export async function insertStop(
  tx: CommandTx,
  { customerId, reason, state, endAt, remark, ticketId, proofId, decided }: NewStop,
): Promise<Stop | null> {
  const { userId, userName } = tx.actor
  const { rows } = await sql<Stop>`
    insert into stop_collection as s (customer_id, reason, end_at, state, ticket_id, proof_id, applied_by,
      applied_by_name, applied_at, start_at, decided_by, decided_by_name, decided_at, remark)
    values (${customerId}, ${reason}, ${endAt}::date, ${state}, ${ticketId ?? null}, ${proofId ?? null},
      ${userId}, ${userName}, clock_timestamp(), clock_timestamp(), ${decided ? userId : null},
      ${decided ? userName : null},
      ${decided ? sql`clock_timestamp()` : null}, ${remark})
    on conflict do nothing
    returning ${COLUMNS}`.execute(tx.db)
  return rows[0] ?? null
}

/** The decision of a pending stop. */
export async function decideStop(
  tx: CommandTx,
  stop: Stop,
  state: 'active' | 'rejected',
  reason: string | null,
): Promise<Stop> {
  return change(
    tx,
    stop,
    sql`
      state = ${state}, decided_by = ${tx.actor.userId}, decided_by_name = ${tx.actor.userName},
        decided_at = clock_timestamp(), decide_remark = ${reason}, start_at = case
        when ${state}::text = 'active' then clock_timestamp() else s.start_at end,
    ended_at = case when ${state}::text = 'rejected' then clock_timestamp() end`,
  )
}

export async function closeStop(tx: CommandTx, stop: Stop, remark: string | null): Promise<Stop> {
  return change(
    tx,
    stop,
    sql`state = 'ended', ended_at = clock_timestamp(), decide_remark = coalesce(${remark}, s.decide_remark)`,
  )
}

async function change(tx: CommandTx, stop: Stop, set: RawBuilder<unknown>): Promise<Stop> {
  const { rows } = await sql<Stop>`
      update stop_collection s set ${set}, version = s.version + 1 where s.id = ${stop.id}
        returning ${COLUMNS}`.execute(tx.db)
  return rows[0] as Stop
}
