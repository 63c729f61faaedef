/** Outbound phone lines and the extensions they are bound to. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { type BulkResult, DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { IN_USE, NAME_TAKEN } from '#shared/collection/collection-problems.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import type * as api from '#shared/system/lines-api.ts'
import { IST_MIDNIGHT, emitCollector } from '#gateway/manage/features/collection/public.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'

type Line = DataOf<typeof api.bindSeat>
type Fields = InputOf<typeof api.addLine>

const MENU = 'phone_manangement'

/** Roles that make calls. */
const CALLERS = [
  'collection_specialist',
  'collector',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
  'salesman',
  'tele_uncertified',
  'tele_unborrowed',
  'tele_unreborrowed',
  'tele_loanfailed',
  'group_leader',
]

const COLUMNS = sql`
  p.id as "lineId", p.number, p.kind, p.vendor_code as "vendorCode", p.seat_number as "seatNumber",
    p.bound_user_id as "boundUserId", u.user_name as "boundName", p.concurrency, p.daily_cap as "dailyCap",
  (select count(*)::int from call_log l where l.user_id = p.bound_user_id
    and l.started_at >= ${IST_MIDNIGHT} and l.way = case when p.kind = 'whatsapp' then 'whatsapp'
    else 'phone' end) as "usedToday", p.status, p.version`
const SORTS = {
  number: 'p.number',
  kind: 'p.kind',
  vendorCode: 'p.vendor_code',
  seatNumber: 'p.seat_number',
  boundName: 'u.user_name',
  dailyCap: 'p.daily_cap',
  status: 'p.status',
}

export async function listLines(db: Db, input: InputOf<typeof api.listLines>): Promise<Page<Line>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.number !== undefined) all.push(sql`p.number like ${`%${likeStart(input.number)}`}`)
  if (input.kind !== undefined) all.push(sql`p.kind = ${input.kind}`)
  if (input.vendorCode !== undefined)
    all.push(sql`lower(p.vendor_code) like ${likeStart(input.vendorCode)}`)
  if (input.status !== undefined) all.push(sql`p.status = ${input.status}`)
  if (input.boundTo !== undefined)
    all.push(sql`lower(u.user_name) like ${`%${likeStart(input.boundTo)}`}`)
  const where = sql.join(all, sql` and `)
  const { rows } = await sql<Line>`
      select ${COLUMNS} from phone_line p left join sys_user u on u.id = p.bound_user_id where ${where}
        order by ${sortOf(input.sort, SORTS, 'number:asc', 'p.id')}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const counted = await sql<{ total: number; now: string }>`
    select count(*)::int as total, clock_timestamp() as now
    from phone_line p
    left join sys_user u on u.id = p.bound_user_id
    where ${where}`.execute(db)
  const { total, now } = counted.rows[0] as { total: number; now: string }
  return { rows, total, asOf: now }
}

export async function linePeople(db: Db): Promise<DataOf<typeof api.linePeople>> {
  const { rows } = await sql<{ userId: string; userName: string; account: string }>`
    select u.id as "userId", u.user_name as "userName", u.account from sys_user u
      join sys_role g on g.id = u.role_id
    where g.unique_mark = any(${CALLERS}::text[]) and u.status in ('enabled', 'normal')
      order by u.user_name, u.id limit 5000`.execute(db)
  return { rows }
}

/** @throws Problem K-DUP for a number or an extension that is taken */
export async function addLine(tx: CommandTx, fields: Fields): Promise<string> {
  await refuseTaken(tx, fields, null)
  const { rows } = await sql<{ id: string }>`
    insert into phone_line (number, kind, vendor_code, seat_number, concurrency, daily_cap, status)
    values (${fields.number}, ${fields.kind}, ${fields.vendorCode}, ${fields.seatNumber ?? null},
      ${fields.concurrency}, ${fields.dailyCap}, ${fields.status}) returning id`.execute(tx.db)
  const lineId = (rows[0] as { id: string }).id
  tx.log({ action: 'add', targetKind: 'line', targetId: lineId, after: fields })
  emitLineChange(tx, lineId)
  return lineId
}

/**
 * A changed extension is copied to the person the line is bound to.
 * @throws Problem G404, G409, K-DUP, K-USED for a bound line that is switched off or changes its
 * kind
 */
export async function editLine(
  tx: CommandTx,
  { lineId, version, ...fields }: InputOf<typeof api.editLine>,
): Promise<void> {
  const before = await lock(tx, lineId, version)
  if (
    before.boundUserId !== null &&
    (fields.status !== 'enabled' || fields.kind !== before.kind || fields.seatNumber === undefined)
  )
    throw new Problem(IN_USE)
  await refuseTaken(tx, fields, lineId)
  await sql`
    update phone_line set number = ${fields.number}, kind = ${fields.kind},
      vendor_code = ${fields.vendorCode}, seat_number = ${fields.seatNumber ?? null},
      concurrency = ${fields.concurrency}, daily_cap = ${fields.dailyCap}, status = ${fields.status},
      updated_at = clock_timestamp(), version = version + 1 where id = ${lineId}`.execute(tx.db)
  if (
    before.kind !== 'whatsapp' &&
    before.boundUserId !== null &&
    before.seatNumber !== fields.seatNumber
  )
    await setExtension(tx, before.boundUserId, fields.seatNumber ?? null)
  const { number, kind, vendorCode, seatNumber, concurrency, dailyCap, status } = before
  tx.log({
    action: 'edit',
    targetKind: 'line',
    targetId: lineId,
    before: { number, kind, vendorCode, seatNumber, concurrency, dailyCap, status },
    after: fields,
  })
  emitLineChange(tx, lineId)
}

/** A bound line is unbound first. */
export function setLineStatus(
  tx: CommandTx,
  { lineIds, status }: InputOf<typeof api.setLineStatus>,
): Promise<BulkResult> {
  return inBulk(tx, lineIds, {
    type: lineStatusJob,
    menu: MENU,
    params: { status },
    known: sql`select p.id from phone_line p where p.id = any(${lineIds}::text[])`,
  })
}

export const lineStatusJob: JobType = {
  type: 'line.status',
  async row(tx, lineId, { status }) {
    const before = await lock(tx, lineId)
    if (before.boundUserId !== null && status !== 'enabled') throw new Problem(IN_USE)
    await sql`
      update phone_line set status = ${status}, updated_at = clock_timestamp(), version = version + 1
        where id = ${lineId}`.execute(tx.db)
    tx.log({
      menu: MENU,
      action: 'status',
      targetKind: 'line',
      targetId: lineId,
      before: { status: before.status },
      after: { status },
    })
    emitLineChange(tx, lineId)
  },
}

/**
 * @throws Problem G404, G409, G-FIELD for a person who makes no calls, K-USED for a line that is off
 * or has no extension, and for a person who has a line of this kind
 */
export async function bindSeat(
  tx: CommandTx,
  { lineId, version, userId }: InputOf<typeof api.bindSeat>,
): Promise<Line> {
  const before = await lock(tx, lineId, version)
  if (userId !== undefined) {
    const { rows } = await sql`
        select from sys_user u join sys_role g on g.id = u.role_id where u.id = ${userId}
          and g.unique_mark = any(${CALLERS}::text[]) and u.status in ('enabled', 'normal')`.execute(
      tx.db,
    )
    if (rows.length === 0) throw new Problem(INVALID_FIELDS, {}, { fields: { userId: 'unknown' } })
    if (before.status !== 'enabled' || before.seatNumber === null) throw new Problem(IN_USE)
    const { rows: held } = await sql`
        select from phone_line p where p.bound_user_id = ${userId} and p.kind = ${before.kind}
          and p.id <> ${lineId}`.execute(tx.db)
    if (held.length > 0)
      throw new Problem(IN_USE, {}, { fields: { userId: 'system:fault.hasLine' } })
  }
  await sql`
    update phone_line set bound_user_id = ${userId ?? null}, updated_at = clock_timestamp(),
      version = version + 1 where id = ${lineId}`.execute(tx.db)
  // a line for messages does not change the extension the person is dialled on
  if (before.kind !== 'whatsapp') {
    if (before.boundUserId !== null && before.boundUserId !== userId)
      await setExtension(tx, before.boundUserId, null)
    if (userId !== undefined) await setExtension(tx, userId, before.seatNumber)
  }
  tx.log({
    action: 'bind',
    targetKind: 'line',
    targetId: lineId,
    before: { boundUserId: before.boundUserId },
    after: { boundUserId: userId ?? null },
  })
  emitLineChange(tx, lineId)
  return lock(tx, lineId)
}

/**
 * A collector's extension is stored with the collector, where the supervisor sees it too; for all
 * others the line is asked.
 */
async function setExtension(
  tx: CommandTx,
  userId: string,
  seatNumber: string | null,
): Promise<void> {
  const { rows } = await sql`
      update collector set seat_number = ${seatNumber}, version = version + 1 where user_id = ${userId}
        returning user_id`.execute(tx.db)
  if (rows.length > 0) await emitCollector(tx, userId)
}

async function lock(tx: CommandTx, lineId: string, version?: number): Promise<Line> {
  await sql`select from phone_line p where p.id = ${lineId} for update`.execute(tx.db)
  const { rows } = await sql<Line>`
      select ${COLUMNS} from phone_line p left join sys_user u on u.id = p.bound_user_id
        where p.id = ${lineId}`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  if (version !== undefined && row.version !== version)
    throw await changedByOther(tx.db, 'line', lineId, row)
  return row
}

async function refuseTaken(
  tx: CommandTx,
  { number, seatNumber }: Pick<Fields, 'number' | 'seatNumber'>,
  lineId: string | null,
): Promise<void> {
  const { rows } = await sql<{ number: boolean; seat: boolean }>`
    select coalesce(bool_or(p.number = ${number}), false) as number,
      coalesce(bool_or(p.seat_number = ${seatNumber ?? null}), false) as seat from phone_line p
      where p.id is distinct from ${lineId}
      and (p.number = ${number} or p.seat_number = ${seatNumber ?? null})`.execute(tx.db)
  const fields = {
    ...(rows[0]?.number ? { number: 'system:fault.taken' } : {}),
    ...(rows[0]?.seat ? { seatNumber: 'system:fault.taken' } : {}),
  }
  if (Object.keys(fields).length > 0) throw new Problem(NAME_TAKEN, {}, { fields })
}

function emitLineChange(tx: CommandTx, lineId: string): void {
  tx.emit(CONFIG_REFRESHED, {
    subject: `line:${lineId}`,
    rooms: [`menu:${MENU}`],
    data: { area: 'lines', ids: [lineId] },
  })
}
