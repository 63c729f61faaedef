import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PREFERENCES } from '#shared/preferences/default-preferences.ts'
import type { getPreferences } from '#shared/preferences/preferences-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

export type Preferences = DataOf<typeof getPreferences>

/** The person's choices merged over the defaults. */
export async function findPreferences(db: Db, userId: string): Promise<Preferences> {
  const { rows } = await sql<{
    prefs: Partial<Preferences>
  }>`select p.prefs from sys_pref p where p.user_id = ${userId}`.execute(db)
  return { ...DEFAULT_PREFERENCES, favourites: [], language: null, grids: {}, ...rows[0]?.prefs }
}
