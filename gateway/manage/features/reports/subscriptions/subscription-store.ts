/** Reports that their readers get each morning. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/reports/subscriptions-api.ts'
import { permittedList } from '#gateway/manage/features/exports/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { whyNoEmail } from './morning-mail-job.ts'

/** Reports one person may get each morning. */
const MOST = 20

export async function listSubscriptions(
  { db, context, actor: { userId } }: Query,
  vendor: MessageVendor | null,
): Promise<DataOf<typeof api.listSubscriptions>> {
  const { rows } = await sql<DataOf<typeof api.listSubscriptions>['rows'][number]>`
    select s.id as "subscriptionId", s.list, s.filters, s.title, s.days,
      s.by_email as "byEmail"
    from report_subscription s
    where s.user_id = ${userId}
    order by s.title, s.id`.execute(db)
  return { rows, noEmail: await whyNoEmail(db, context, userId, vendor) }
}

/**
 * A report with the same filters is stored once; columns and days are those of the last request.
 * @throws Problem G403 for a list that is no report or that the person may not export; G-FIELD for
 * one too many
 */
export async function saveSubscription(
  tx: CommandTx,
  { list, filters, columns, title, days, byEmail = false }: InputOf<typeof api.saveSubscription>,
): Promise<DataOf<typeof api.saveSubscription>> {
  const actor = staff(tx.actor)
  const { list: found } = permittedList(tx.context, actor, { list, filters })
  const { properties } = found.endpoint.input
  if (!('dateFrom' in properties && 'dateTo' in properties)) throw new Problem(FORBIDDEN)
  const { dateFrom: _from, dateTo: _to, ...kept } = filters
  const { rows: counted } = await sql<{ n: number }>`
    select count(*)::int as n from report_subscription s where s.user_id = ${actor.userId}`.execute(
    tx.db,
  )
  if ((counted[0]?.n ?? 0) >= MOST)
    throw new Problem(INVALID_FIELDS, {}, { fields: { list: 'tooMany' } })
  const { rows } = await sql<{ id: string }>`
    insert into report_subscription (user_id, list, filters, columns, title, days, by_email)
    values (${actor.userId}, ${list}, ${JSON.stringify(kept)}::jsonb, ${JSON.stringify(columns)}::jsonb,
      ${title}, ${days}, ${byEmail})
    on conflict (user_id, list, filters) do update
    set columns = excluded.columns, title = excluded.title, days = excluded.days,
      by_email = excluded.by_email
    returning id`.execute(tx.db)
  const subscriptionId = (rows[0] as { id: string }).id
  tx.log({
    action: 'subscribe',
    targetKind: 'reportSubscription',
    targetId: subscriptionId,
    after: { list, days, byEmail, columns: columns.length },
  })
  return { subscriptionId }
}

/** @throws Problem G404 for one that is not the person's own */
export async function deleteSubscription(
  tx: CommandTx,
  { subscriptionId }: InputOf<typeof api.deleteSubscription>,
): Promise<null> {
  const { rows } = await sql<{ list: string }>`
    delete from report_subscription s
    where s.id = ${subscriptionId} and s.user_id = ${staff(tx.actor).userId}
    returning s.list`.execute(tx.db)
  const [gone] = rows
  if (gone === undefined) throw new Problem(NOT_FOUND)
  tx.log({
    action: 'unsubscribe',
    targetKind: 'reportSubscription',
    targetId: subscriptionId,
    before: { list: gone.list },
  })
  return null
}
