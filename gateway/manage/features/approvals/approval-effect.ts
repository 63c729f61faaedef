/** What a request would do now: it is carried out by the code of its approval, looked at before and after, and taken back. */
import type { EffectRow, FactRow } from '#shared/approvals/effect.ts'
import type { Actor } from '#gateway/manage/kernel/actor.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { rehearse } from '#gateway/manage/kernel/rehearse.ts'
import { failedRow } from '#gateway/manage/kernel/row-by-row.ts'
import type { ApprovalKind } from './approval-kind.ts'
import type { Approval } from './approval-store.ts'

/** As far as a rehearsal needs it: what is not asked for yet has no id. */
export type Rehearsable = Pick<
  Approval,
  | 'id'
  | 'target_id'
  | 'payload'
  | 'reason'
  | 'requested_by'
  | 'requested_by_name'
  | 'count'
  | 'amount'
>

/** @returns null for a kind that has nothing to show this way */
export async function effectOf(
  house: House,
  actor: Actor,
  kind: ApprovalKind,
  asked: Rehearsable,
): Promise<EffectRow | null> {
  const { stand } = kind
  if (stand === undefined) return null
  const facts = (await kind.facts?.(house.database.kysely, asked)) ?? []
  try {
    const [before, after] = await rehearse(house, actor, async (cx) => {
      const first = await stand(cx.db, asked)
      await kind.carryOut(cx, asked)
      return [first, await stand(cx.db, asked)] as const
    })
    return { facts, changes: difference(before, after), obstacle: null }
  } catch (error) {
    const { problem = '', params = {}, msg } = failedRow(asked.id, error)
    return { facts, changes: [], obstacle: { problem, params, msg } }
  }
}

/** What has no value before nor after is left out. */
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
