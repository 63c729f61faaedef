import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { reportOptions as call } from '#shared/reports/reports-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

export async function reportOptions(db: Db): Promise<DataOf<typeof call>> {
  const { rows } = await sql<DataOf<typeof call>>`
    select
      (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by p.name), '[]')
        from product p) as products,
      (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name) order by a.name), '[]')
        from app a) as apps,
      (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name) order by c.name), '[]')
        from channel c) as channels`.execute(db)
  return rows[0] as DataOf<typeof call>
}
