import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { deleteRuleCase } from '#shared/rules/case-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { RULE } from '../book/rule-kind.ts'
import { TABLE } from '../tables/table-kind.ts'
import type { AnyKind } from './version-kind.ts'
import { emitRow, readRow } from './version-store.ts'

/** Of a rule or of a table. @throws Problem G404 */
export async function deleteCase(
  tx: CommandTx,
  { caseId }: InputOf<typeof deleteRuleCase>,
): Promise<null> {
  const { rows } = await sql<{ ruleId: string | null; tableId: string | null; name: string }>`
    delete from rule_case where id = ${caseId}
    returning rule_id as "ruleId", table_id as "tableId", name`.execute(tx.db)
  const [gone] = rows
  if (!gone) throw new Problem(NOT_FOUND)
  const kind: AnyKind = gone.ruleId === null ? TABLE : RULE
  const id = gone.ruleId ?? gone.tableId ?? ''
  const row = await readRow(tx.db, kind, id)
  emitRow(tx, kind, id, row)
  tx.log({
    action: 'deleteRuleCase',
    targetKind: kind.targetKind,
    targetId: id,
    before: { name: row.name, case: { caseId, name: gone.name } },
  })
  return null
}
