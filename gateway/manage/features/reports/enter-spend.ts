import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { enterSpend as call } from '#shared/reports/delivery-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { findSpend } from './spend-queries.ts'

/** Menus whose reports show what was spent. */
const ROOMS = ['menu:delivery_data']

/**
 * One entry per day, channel and campaign: with a version it is corrected, without one it is new.
 * @throws Problem G-FIELD for a day after today or a channel that does not exist
 * @throws Problem G404 for a correction of nothing; G409 when somebody else was faster
 */
export async function enterSpend(
  tx: CommandTx,
  input: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const { date, channelId, campaign, spend, impressions = null, clicks = null, version } = input
  const now = await tx.now()
  if (date > istDay(now)) throw new Problem(INVALID_FIELDS, {}, { fields: { date: 'maximum' } })
  const { rows: channels } = await sql`
    select from channel h where h.id = ${channelId}`.execute(tx.db)
  if (channels.length === 0)
    throw new Problem(INVALID_FIELDS, {}, { fields: { channelId: 'unknown' } })
  const before = await findSpend(tx.db, input)
  if (version !== undefined && before === undefined) throw new Problem(NOT_FOUND)
  const { userId, userName } = tx.actor
  const values = sql`${spend}, ${impressions}, ${clicks}, ${userId}, ${userName}`
  const { rows: written } =
    version === undefined
      ? await sql<{ id: string }>`
          insert into delivery_spend (day, channel_id, campaign, spend, impressions, clicks, updated_by,
            updated_by_name)
          values (${date}::date, ${channelId}, ${campaign}, ${values})
          on conflict (day, channel_id, campaign) do nothing
          returning id`.execute(tx.db)
      : await sql<{ id: string }>`
          update delivery_spend s
          set (spend, impressions, clicks, updated_by, updated_by_name) = (${values}),
            updated_at = clock_timestamp(), version = s.version + 1
          where s.day = ${date}::date and s.channel_id = ${channelId} and s.campaign = ${campaign}
            and s.version = ${version}
          returning s.id`.execute(tx.db)
  const after = await findSpend(tx.db, input)
  if (after === undefined) throw new Error(`the entry of ${date} is gone`)
  const [row] = written
  if (row === undefined) throw await changedByOther(tx.db, 'spend', after.spendId, after)
  tx.log({
    action: 'spend',
    targetKind: 'spend',
    targetId: row.id,
    ...(before && {
      before: { spend: before.spend, impressions: before.impressions, clicks: before.clicks },
    }),
    after: { date, channelId, campaign, spend, impressions, clicks },
  })
  tx.emit(REPORT_REFRESHED, {
    subject: 'rollup:spend',
    rooms: ROOMS,
    data: { report: 'spend', asOf: now },
  })
  return after
}
