import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/** @throws Problem G404 for another's view, and for a deleted one */
export async function deleteView(tx: CommandTx, viewId: string): Promise<void> {
  const { rows } = await sql<{
    menu: string
  }>`delete from list_view where id = ${viewId} and owner_id = ${staff(tx.actor).userId} returning menu`.execute(
    tx.db,
  )
  if (!rows[0]) throw new Problem(NOT_FOUND)
  tx.log({
    action: 'viewDelete',
    targetKind: 'view',
    targetId: viewId,
    before: { menu: rows[0].menu },
  })
}
