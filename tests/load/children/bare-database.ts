/**
 * The connection pool of a baseline: plain `pg` on PostgreSQL, with the product's pool size; on
 * PGlite the product's bridge, since there is no other way.
 */
import pg from 'pg'
import { openDatabase } from '#gateway/manage/db/client.ts'
import type { BareDatabase } from '../book.ts'

export async function openBare({ url, dataDir }: BareDatabase): Promise<pg.Pool> {
  pg.types.setTypeParser(20, Number)
  if (url === undefined) return (await openDatabase({ dataDir })).pool
  return new pg.Pool({ connectionString: url, max: 10 })
}
