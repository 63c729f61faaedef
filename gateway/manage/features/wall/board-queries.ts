import { sql } from 'kysely'
import type { BoardRow, listBoards as call } from '#shared/wall/wall-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page, TOTAL_CAP } from '#shared/kernel/page.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { BOARD_ROW_JOINS, boardColumns, boardsInScope } from './board-store.ts'

const SORTS = {
  boardId: 'd.id',
  name: 'd.name',
  state: 'd.state',
  pairedBy: 'd.paired_by_name',
  pairTime: 'd.paired_at',
  lastSeen: 'd.last_seen_at',
  appVersion: 'd.app_version',
}

/** Screens of the caller's units; a screen that waits for its code belongs to nobody yet. */
export async function boardList(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof call>,
): Promise<Page<BoardRow>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const where = sql`
    d.state <> 'waiting' and ${boardsInScope(actor)}
      and (${input.state ?? null}::text is null or d.state = ${input.state ?? null})
    and ${input.name === undefined ? sql`true` : sql`lower(d.name) like ${likeStart(input.name)}`}`
  const { rows } = await sql<BoardRow>`
      select ${boardColumns} from board_device d ${BOARD_ROW_JOINS} where ${where}
        order by ${sortOf(input.sort, SORTS, 'state:asc,pairTime:desc', 'd.id')}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const { rows: counted } = await sql<{
    n: number
    now: string
  }>`
    select count(*)::int as n, clock_timestamp() as now
    from (select from board_device d where ${where} limit ${TOTAL_CAP + 1}) t`.execute(db)
  const { n, now } = counted[0] as { n: number; now: string }
  return {
    rows,
    total: Math.min(n, TOTAL_CAP),
    ...(n > TOTAL_CAP ? { totalCapped: true } : {}),
    asOf: now,
  }
}
