import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitServices } from './save-service.ts'

/**
 * Nothing of a configuration is cached beyond its address and keys, which never change: the consoles
 * read again, and what a breaker left out is tried at once. @returns the number of configurations
 */
export async function flushVendors(tx: CommandTx): Promise<number> {
  const { rows: tried } = await sql<{ id: string }>`
    update tp_health set retry_at = clock_timestamp(), version = version + 1
      where state = 'open' returning cfg_id as id`.execute(tx.db)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from tp_cfg`.execute(
    tx.db,
  )
  tx.log({
    action: 'flush',
    targetKind: 'config',
    targetId: 'thirdParties',
    after: { tried: tried.map(({ id }) => id) },
  })
  emitServices(tx, [])
  return rows[0]?.count ?? 0
}
