import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { enterSpend, listSpend as call } from '#shared/reports/delivery-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  notNull,
  onePage,
  sortOf,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'

const SORTS: Sorts = {
  date: notNull('s.day'),
  channelName: 'h.name',
  campaign: 's.campaign',
  spend: notNull('s.spend'),
  updatedTime: 's.updated_at',
}
const JOINS = sql`join channel h on h.id = s.channel_id`
const ROW = sql`
  json_build_object('spendId', s.id, 'date', s.day::text, 'channelId', s.channel_id, 'channelName', h.name,
    'campaign', s.campaign, 'spend', s.spend, 'impressions', s.impressions, 'clicks', s.clicks,
    'updatedBy', s.updated_by_name, 'updatedTime', ${isoTime('s.updated_at')}, 'version', s.version)`

/** @throws Problem G-FIELD for a sort the list does not know */
export function listSpend(db: Db, input: InputOf<typeof call>): Promise<JsonText> {
  const { all, add } = filterClauses()
  add(input.dateFrom, (day) => sql`s.day >= ${day}::date`)
  add(input.dateTo, (day) => sql`s.day <= ${day}::date`)
  add(input.channelId, (id) => sql`s.channel_id = ${id}`)
  add(input.campaign, (name) => sql`s.campaign = ${name}`)
  return onePage(db, {
    from: 'delivery_spend s',
    where: allOf(all),
    order:
      input.sort === undefined
        ? sql.raw('s.day desc, s.id desc')
        : sortOf(input.sort, SORTS, '', 's.id'),
    row: ROW,
    joins: JOINS,
    input,
  })
}

/** The entry of a day, channel and campaign; undefined when there is none. */
export async function findSpend(
  db: Db,
  {
    date,
    channelId,
    campaign,
  }: Pick<InputOf<typeof enterSpend>, 'date' | 'channelId' | 'campaign'>,
): Promise<DataOf<typeof enterSpend> | undefined> {
  const { rows } = await sql<{ row: DataOf<typeof enterSpend> }>`
    select ${ROW} as row
    from delivery_spend s ${JOINS}
    where s.day = ${date}::date and s.channel_id = ${channelId} and s.campaign = ${campaign}`.execute(
    db,
  )
  return rows[0]?.row
}
