/** Writes of `board_device` and the common facts of its row. */
import { type RawBuilder, sql } from 'kysely'
import type { BoardRow, BoardSettings } from '#shared/wall/wall-api.ts'
import { BOARD_CHANGED } from '#shared/wall/wall-live.ts'
import type { BoardState, PairUnit } from '#shared/wall/wall-sets.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { roomOfScreen } from './board-scope.ts'

export interface LockedBoard {
  id: string
  name: string
  settings: BoardSettings
  state: BoardState
  version: number
}

/** Screens of the caller's unit and of units inside it, as a predicate over `board_device d`. */
export function boardsInScope({ rights }: StaffActor): RawBuilder<boolean> {
  switch (rights.scope) {
    case 'all':
      return sql<boolean>`true`
    case 'agency':
      return sql<boolean>`
        ((d.unit_kind = 'agency' and d.unit_id = ${rights.agencyId})
          or (d.unit_kind = 'department'
          and d.unit_id in (select x.id from department x where x.agency_id = ${rights.agencyId})))`
    case 'department':
      return sql<boolean>`(d.unit_kind = 'department' and d.unit_id = ${rights.departmentId})`
    case 'group':
    case 'own':
    case 'queue':
      return sql<boolean>`false`
  }
}

/**
 * @param scope which of `board_device d` the caller may write
 * @throws Problem G404 for one that is missing, waits for its approval, or is out of scope
 */
export async function lockBoard(
  tx: CommandTx,
  scope: RawBuilder<boolean>,
  boardId: string,
): Promise<LockedBoard> {
  const { rows } = await sql<LockedBoard>`
    select d.id, d.name, d.settings, d.state, d.version from board_device d where d.id = ${boardId}
      and d.state <> 'waiting' and ${scope} for update`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  return row
}

/** Joins of `boardRowJson` beside `board_device d`. */
export const BOARD_ROW_JOINS = sql`
  left join agency a on d.unit_kind = 'agency' and a.id = d.unit_id left
    join department p on d.unit_kind = 'department' and p.id = d.unit_id`

export const boardColumns = sql`
  d.id as "boardId", d.name, d.unit_kind as unit, d.unit_id as "unitId", coalesce(a.name,
    p.name) as "unitName", d.stage_id as "stageId", d.settings, d.state, d.paired_by_name as "pairedBy",
    d.paired_at as "pairTime",
  d.last_seen_at as "lastSeen", d.app_version as "appVersion", d.version`

export async function boardRow(db: Db, boardId: string): Promise<BoardRow> {
  const { rows } = await sql<BoardRow>`
      select ${boardColumns} from board_device d ${BOARD_ROW_JOINS} where d.id = ${boardId}`.execute(
    db,
  )
  return rows[0] as BoardRow
}

export function emitBoard(
  tx: CommandTx,
  { id, state, version }: { id: string; state: BoardState; version: number },
): void {
  tx.emit(BOARD_CHANGED, {
    subject: `board:${id}`,
    version,
    rooms: ['menu:loaned_board', roomOfScreen(id)],
    data: { boardId: id, state },
  })
}

export interface NewPairing {
  codeHash: Buffer
  pollHash: Buffer
  minutes: number
  appVersion: string
  settings: BoardSettings
  ip: string
}

/** @returns id and expiry of the code; null when another pending screen has the code */
export async function insertWaiting(
  tx: CommandTx,
  given: NewPairing,
): Promise<{ id: string; until: string } | null> {
  const { rows } = await sql<{ id: string; until: string }>`
    insert into board_device (code_hash, code_until, poll_hash, app_version, settings, ip)
    values (${given.codeHash}, clock_timestamp() + make_interval(mins => ${given.minutes}),
      ${given.pollHash}, ${given.appVersion}, ${JSON.stringify(given.settings)}::jsonb, ${given.ip})
    on conflict (code_hash) where state = 'waiting' do nothing returning id, code_until as until`.execute(
    tx.db,
  )
  return rows[0] ?? null
}

export interface Approval {
  id: string
  name: string
  unit: PairUnit
  unitId: string | null
  stageId: string | null
  settings: BoardSettings
  hours: number
  by: StaffActor
}

/** @returns version of the row */
export async function activateBoard(tx: CommandTx, given: Approval): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update board_device set state = 'active', name = ${given.name}, unit_kind = ${given.unit},
      unit_id = ${given.unitId}, stage_id = ${given.stageId},
      settings = ${JSON.stringify(given.settings)}::jsonb, code_hash = null,
      expires_at = clock_timestamp() + make_interval(hours => ${given.hours}),
        paired_by = ${given.by.userId}, paired_by_name = ${given.by.userName},
        paired_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1
    where id = ${given.id} returning version`.execute(tx.db)
  return (rows[0] as { version: number }).version
}

/** @returns version of the row */
export async function endBoard(
  tx: CommandTx,
  boardId: string,
  reason: 'revoked' | 'expired',
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    update board_device set state = 'revoked', revoked_at = clock_timestamp(), revoke_reason = ${reason},
      token_hash = null, previous_hash = null, poll_hash = null, bind_hash = null,
      updated_at = clock_timestamp(), version = version + 1
    where id = ${boardId} returning version`.execute(tx.db)
  return (rows[0] as { version: number }).version
}
