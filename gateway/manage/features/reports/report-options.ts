import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { reportOptions as call } from '#shared/reports/reports-api.ts'
import { APP_OPTIONS, CHANNEL_OPTIONS } from '#gateway/manage/features/products/public.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'

export async function reportOptions(db: Db): Promise<DataOf<typeof call>> {
  const { rows } = await sql<DataOf<typeof call>>`
    select ${APP_OPTIONS} as apps, ${CHANNEL_OPTIONS} as channels`.execute(db)
  return rows[0] as DataOf<typeof call>
}
