/** Every row of every table as text: what a stolen database reveals. */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'

export async function dumpText(database: Database): Promise<string> {
  const tables = await sql<{
    name: string
  }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' order by c.relname`.execute(database.kysely)
  const parts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<{
      row: string
    }>`select t::text as row from ${sql.table(name)} t`.execute(database.kysely)
    parts.push(`== ${name}`, ...rows.map(({ row }) => row))
  }
  return parts.join('\n')
}
