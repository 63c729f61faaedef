import { sql } from 'kysely'
import type { revealPhone as call } from '#shared/collection/cases-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { casesInScope } from '../case-scope.ts'
import { openField, SHOWN_SECONDS } from '#gateway/manage/features/customers/public.ts'

/**
 * @throws Problem G404, G403 for staff of an outside agency (they dial through their extension),
 * G-RATE above the hourly limit
 */
export async function revealPhone(
  tx: CommandTx,
  { caseId, reason }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const actor = staff(tx.actor)
  if (actor.rights.isOutside) throw new Problem(FORBIDDEN)
  const { rows } = await sql<{
    customer_id: string
  }>`select c.customer_id from collection_case c where c.id = ${caseId} and ${casesInScope(actor)}`.execute(
    tx.db,
  )
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  return {
    value: await openField(tx, { userId: found.customer_id, field: 'phone', reason }),
    seconds: SHOWN_SECONDS,
  }
}
