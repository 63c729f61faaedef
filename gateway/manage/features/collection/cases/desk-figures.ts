import { sql } from 'kysely'
import type { deskFigures as call } from '#shared/collection/cases-api.ts'
import { contactWindow } from '#shared/collection/contact-gate.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Parameters } from '#gateway/manage/kernel/parameters.ts'
import { casesInScope } from '../case-scope.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { whatsappOf } from '../work/whatsapp-way.ts'
import { recoveredToday } from '../figures/bills.ts'
import { viewOf } from './case-list.ts'
import { CONTACTED_TODAY, HAD_TODAY } from './case-row.ts'

type Figures = DataOf<typeof call>
type Stored = Omit<Figures, 'callFrom' | 'callTo' | 'whatsapp'>

/** The caller's day in one statement: a collector's own cases, a leader's unit. */
export async function deskFigures(
  db: Db,
  actor: StaffActor,
  parameters: Parameters,
): Promise<Figures> {
  const { from, to } = contactWindow({
    callFrom: await parameters.text('collection.callFrom'),
    callTo: await parameters.text('collection.callTo'),
    microfinance: false,
  })
  const { rows } = await sql<{ figures: Stored }>`
    with day as (
      select count(*)::int as had, count(*) filter (where ${CONTACTED_TODAY})::int as contacted
      from collection_case c where ${HAD_TODAY} and ${casesInScope(actor)}
    )
    select json_build_object(
      'open', count(*)::int, 'dueNow', count(*) filter (where ${viewOf('dueNow')})::int, 'ptpToday',
        count(*) filter (where ${viewOf('promisesToday')})::int,
      'ptpTodayAmount', coalesce(sum(c.ptp_amount) filter (where ${viewOf('promisesToday')}), 0)::bigint,
        'recoveredToday', ${recoveredToday(actor)},
      'had', (select d.had from day d), 'contacted', (select d.contacted from day d),
      'broken', count(*) filter (where ${viewOf('broken')})::int, 'notContacted',
        count(*) filter (where ${viewOf('notContacted')})::int, 'newToday',
        count(*) filter (where ${viewOf('newToday')})::int,
      'paidPartly', count(*) filter (where ${viewOf('paidPartly')})::int, 'nextFollowTime',
        ${isoTime('min(c.next_follow_at) filter (where c.next_follow_at > (select clock_timestamp()))')},
        'asOf', ${isoTime('clock_timestamp()')}) as figures
    from collection_case c where c.state in ('allocated', 'promised') and ${casesInScope(actor)}`.execute(
    db,
  )
  return {
    ...(rows[0] as { figures: Stored }).figures,
    callFrom: from,
    callTo: to,
    whatsapp: (await whatsappOf(db, actor)).way,
  }
}
