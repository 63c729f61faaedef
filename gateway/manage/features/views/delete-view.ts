import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'

/** @throws Problem G404 for another's, and for one that is gone */
export async function deleteView(cx: Cx, viewId: string): Promise<void> {
  const { rows } = await sql<{
    menu: string
  }>`delete from list_view where id = ${viewId} and owner_id = ${staff(cx.actor).userId} returning menu`.execute(
    cx.db,
  )
  if (!rows[0]) throw new Problem(NOT_FOUND)
  cx.log({
    action: 'viewDelete',
    targetKind: 'view',
    targetId: viewId,
    before: { menu: rows[0].menu },
  })
}
