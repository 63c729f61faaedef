/** The customer list of a package is replaced by the ids of a text or a sheet. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { Problem, TOO_MANY_ROWS } from '#shared/kernel/problem.ts'
import type { setPackage as packageCall } from '#shared/telemarketing/node-api.ts'
import { PACKAGE_MOST } from '#shared/telemarketing/node-sets.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { sheetText } from '#gateway/manage/kernel/sheet-text.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { lockNode, readNode } from './node-store.ts'
import { emitNode } from './save-node.ts'

/** @throws Problem G404, G-FILE, G-MAX */
export async function setPackage(
  tx: CommandTx,
  { nodeId, list = '' }: InputOf<typeof packageCall>,
  files: readonly Upload[],
): Promise<DataOf<typeof packageCall>> {
  const before = await lockNode(tx.db, nodeId)
  const { ids, repeated, unreadable } = customersNamedIn([list, ...files.map(sheetText)].join('\n'))
  if (ids.length > PACKAGE_MOST) throw new Problem(TOO_MANY_ROWS, { n: PACKAGE_MOST })
  await sql`delete from marketing_package p where p.node_id = ${nodeId}`.execute(tx.db)
  const { rows } = await sql<{ n: number }>`
    with added as (
      insert into marketing_package (node_id, customer_id)
      select ${nodeId}, c.id from customer c where c.id = any(${ids}::text[]) returning 1
    )
    select count(*)::int as n from added`.execute(tx.db)
  await sql`
    update marketing_node set updated_by = ${tx.actor.userId}, updated_by_name = ${tx.actor.userName},
      updated_at = clock_timestamp(), version = version + 1 where id = ${nodeId}`.execute(tx.db)
  const total = rows[0]?.n ?? 0
  emitNode(tx, await readNode(tx.db, nodeId))
  tx.log({
    action: 'setPackage',
    targetKind: 'marketingNode',
    targetId: nodeId,
    before: { packageCount: before.packageCount },
    after: { packageCount: total },
  })
  return { total, unknown: ids.length - total, repeated, unreadable }
}

interface NamedCustomers {
  ids: string[]
  repeated: number
  unreadable: number
}

/** Words without a digit are headings. */
export function customersNamedIn(text: string): NamedCustomers {
  const words = text.split(/[\s,;"']+/).filter((word) => /\d/.test(word))
  const named = words.filter((word) => /^C\d{4,20}$/.test(word))
  const ids = [...new Set(named)]
  return { ids, repeated: named.length - ids.length, unreadable: words.length - named.length }
}
