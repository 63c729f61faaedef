import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { BAD_REQUEST, Problem } from '#shared/kernel/problem.ts'
import type { savePreferences as saveCall } from '#shared/preferences/preferences-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/** Lists with a stored layout per person; a console has fewer lists. */
const MOST_GRIDS = 100

/**
 * Merges the given keys into the stored ones, so that two tabs that change different keys both
 * take effect.
 * @throws Problem BAD_REQUEST above the number of lists
 */
export async function savePreferences(
  tx: CommandTx,
  { grids, ...chosen }: InputOf<typeof saveCall>,
): Promise<null> {
  const { userId } = staff(tx.actor)
  const { rows } = await sql<{ grids: number }>`
    insert into sys_pref as p (user_id, prefs)
      values (${userId}, jsonb_strip_nulls(${JSON.stringify({ ...chosen, grids: grids ?? {} })}::jsonb))
    on conflict (user_id) do update set
      prefs = p.prefs || ${JSON.stringify(chosen)}::jsonb || jsonb_build_object('grids',
        jsonb_strip_nulls(coalesce(p.prefs -> 'grids', '{}') || ${JSON.stringify(grids ?? {})}::jsonb)),
      updated_at = clock_timestamp()
    returning (select count(*) from jsonb_object_keys(p.prefs -> 'grids')) as grids`.execute(tx.db)
  if ((rows[0]?.grids ?? 0) > MOST_GRIDS) throw new Problem(BAD_REQUEST)
  return null
}
