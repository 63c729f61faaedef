/** Which row of a version one application hits. Earlier tables in force are judged before it. */
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { evaluateTable } from '#shared/rules/tables/evaluate-table.ts'
import type { testTable as testCall } from '#shared/rules/tables/table-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { RuleFacts } from '../book/test-rule.ts'
import { readRow, readVersion } from '../versions/version-store.ts'
import { TABLE } from './table-kind.ts'
import { readTablesInForce, tableRunner } from './tables-in-force.ts'

/** @throws Problem G404, G-FIELD when neither facts nor their owner are given */
export async function testTable(
  context: AppContext,
  [source]: readonly RuleFacts[],
  { tableId, versionNo, orderId, userId }: InputOf<typeof testCall>,
): Promise<DataOf<typeof testCall>> {
  const db = context.database.kysely
  const { latestNo } = await readRow(db, TABLE, tableId)
  const version = await readVersion(db, TABLE, tableId, versionNo ?? latestNo)
  const target = orderId !== undefined ? { orderId } : userId !== undefined ? { userId } : null
  if (target === null) throw new Problem(INVALID_FIELDS, {}, { fields: { orderId: 'required' } })
  const found = await source?.factsOf(context, target)
  if (!found) throw new Problem(NOT_FOUND)

  const inForce = await readTablesInForce(db)
  const tried = { tableId, versionNo: version.versionNo, name: version.name, table: version.table }
  const place = inForce.findIndex((one) => one.tableId === tableId)
  const before = place === -1 ? inForce : inForce.slice(0, place)
  const earlier = await (await tableRunner(before)).judge(found.facts)
  const all = await (await tableRunner([...before, tried])).judge(found.facts)
  const judged = all.tables.at(-1)
  return {
    versionNo: version.versionNo,
    orderId: found.orderId,
    facts: Object.fromEntries(
      version.table.inputs.flatMap((name) => {
        const fact = (earlier.facts as typeof found.facts)[name]
        return fact === undefined ? [] : [[name, fact]]
      }),
    ),
    table: version.table,
    row: judged?.row ?? null,
    open: judged?.open ?? null,
    cells: evaluateTable(version.table, earlier.facts).rows.map((cells) =>
      cells.map(({ truth }) => truth),
    ),
    before: { ...earlier.offer },
    after: { ...all.offer },
  }
}
