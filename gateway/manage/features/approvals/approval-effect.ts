/**
 * What a request would do now: executes the approval in a transaction, reads its targets before and
 * after, and rolls back.
 */
import type { EffectRow, FactRow } from '#shared/approvals/effect.ts'
import type { Actor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { rehearse } from '#gateway/manage/kernel/rehearse.ts'
import { failedRow } from '#gateway/manage/kernel/row-by-row.ts'
import type { ApprovalKind } from './approval-kind.ts'
import type { Rehearsable } from './approval-types.ts'

/** @returns null for a kind without such an effect */
export async function effectOf(
  context: AppContext,
  actor: Actor,
  kind: ApprovalKind,
  request: Rehearsable,
): Promise<EffectRow | null> {
  const { snapshot } = kind
  if (snapshot === undefined) return null
  const facts = (await kind.facts?.(context.database.kysely, request)) ?? []
  try {
    const [before, after] = await rehearse(context, actor, async (tx) => {
      const first = await snapshot(tx.db, request)
      await kind.carryOut(tx, request)
      return [first, await snapshot(tx.db, request)] as const
    })
    return { facts, changes: difference(before, after), obstacle: null }
  } catch (error) {
    const { problem = '', params = {}, msg } = failedRow(request.id, error)
    return { facts, changes: [], obstacle: { problem, params, msg } }
  }
}

/** Leaves out values that are empty before and after. */
function difference(before: readonly FactRow[], after: readonly FactRow[]): EffectRow['changes'] {
  const names = new Map([...before, ...after].map((fact) => [fact.name, fact.kind]))
  const valueIn = (facts: readonly FactRow[], name: FactRow['name']) =>
    facts.find((fact) => fact.name === name)?.value ?? null
  return [...names]
    .map(([name, kind]) => ({
      name,
      kind,
      before: valueIn(before, name),
      after: valueIn(after, name),
    }))
    .filter((change) => change.before !== null || change.after !== null)
}
