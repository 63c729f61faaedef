/**
 * What a run achieved. A goal counts when the task ended by it within seven days of the contact,
 * by any person's work: the same for those contacted and those held out. Counted from the contacts
 * each hour until these days are over, and stored.
 */
import { sql } from 'kysely'
import { EFFECT_DAYS } from '#shared/telemarketing/node-sets.ts'
import { upliftOf } from '#shared/telemarketing/uplift.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runAsSystem } from '#gateway/manage/kernel/system-command.ts'

export interface EffectCounts {
  contactedCount: number
  contactedReached: number
  heldOutCount: number
  heldOutReached: number
}

export type StoredEffect = EffectCounts &
  Record<'done' | 'hasUnused' | 'blacklisted' | 'budget' | 'off', number>

/** Runs of one pass: each reads all its contacts. */
const MOST = 20
const MOST_SO_FAR = 200
/** Older, it is counted again: the task that counts may be switched off. */
const FRESH = sql`interval '75 minutes'`
const CONTACTED = `m.outcome in ('assigned', 'pool', 'messaged')`
const REACHED = `t.close_cause in ('reached', 'returned')
  and t.closed_at < m.at + make_interval(days => ${EFFECT_DAYS})`
const without = (why: string) => `'${why}', count(*) filter (where m.coupon = '${why}')`

const COUNTED = sql.raw(`
  select jsonb_build_object('done', count(*),
    'contactedCount', count(*) filter (where ${CONTACTED}),
    'contactedReached', count(*) filter (where ${CONTACTED} and ${REACHED}),
    'heldOutCount', count(*) filter (where m.outcome = 'heldOut'),
    'heldOutReached', count(*) filter (where m.outcome = 'heldOut' and ${REACHED}),
    ${['hasUnused', 'blacklisted', 'budget', 'off'].map(without).join(', ')}) as effect
  from marketing_contact m join tele_task t on t.id = m.task_id where m.run_id = r.id`)

/**
 * `e.effect` of a run `r`: a StoredEffect. What is stored is not counted again; while the run goes on
 * it is its progress, and counted.
 */
export const EFFECT_JOIN = sql`
  cross join lateral (
    select case
      when r.effect is not null then r.effect
      when r.effect_at > clock_timestamp() - ${FRESH} then r.effect_so_far
      else (${COUNTED})
    end as effect
  ) e`

/** Counts the runs whose days are not over, those first that were counted longest ago. */
export async function countEffectsSoFar(context: AppContext): Promise<void> {
  await sql`
    update marketing_run r set effect_so_far = (${COUNTED}), effect_at = clock_timestamp()
    where r.id in (
      select x.id from marketing_run x
      where x.effect is null and x.state <> 'running'
        and x.finished_at >= clock_timestamp() - make_interval(days => ${EFFECT_DAYS}::int + 1)
      order by x.effect_at nulls first, x.id
      limit ${MOST_SO_FAR})`.execute(context.database.kysely)
}

/** Stores the effect of runs whose days are over. */
export async function storeEffects(
  context: AppContext,
  work: { name: string; menu: string },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select r.id from marketing_run r where r.effect is null and r.state <> 'running'
      and r.finished_at < clock_timestamp() - make_interval(days => ${EFFECT_DAYS}::int + 1)
    order by r.id limit ${MOST}`.execute(context.database.kysely)
  for (const { id } of rows)
    await runAsSystem(context, work, async (tx) => {
      await sql`update marketing_run r set effect = (${COUNTED}) where r.id = ${id}`.execute(tx.db)
    })
}

export function ratesOf(effect: EffectCounts) {
  const { contactedRate, heldOutRate, difference, low, high } = upliftOf(
    { count: effect.contactedCount, reached: effect.contactedReached },
    { count: effect.heldOutCount, reached: effect.heldOutReached },
  )
  return { contactedRate, heldOutRate, uplift: difference, upliftLow: low, upliftHigh: high }
}
