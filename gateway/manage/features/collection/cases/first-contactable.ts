import { sql } from 'kysely'
import type { firstContactable as call } from '#shared/collection/cases-api.ts'
import { CONTACT_HOLIDAY } from '#shared/collection/collection-problems.ts'
import { contactGate } from '#shared/collection/contact-gate.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { OUTSIDE_CALL_HOURS } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { casesInScope } from '../case-scope.ts'
import { contactFactsWhere } from '../work/contact-facts.ts'

/** They close the day for everybody: work goes on without calls, with notes and borrowers' own calls. */
const OF_THE_DAY: readonly string[] = [OUTSIDE_CALL_HOURS.id, CONTACT_HOLIDAY.id]

/**
 * The first case in the given order whose contact gate is open. Ids outside of the caller's scope,
 * and cases that nobody works on, are passed over.
 */
export async function firstContactable(
  db: Db,
  actor: StaffActor,
  { caseIds }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const ids = caseIds.split(',')
  const facts = await contactFactsWhere(
    db,
    sql<boolean>`c.id = any(${ids}::text[]) and c.state in ('allocated', 'promised')
      and ${casesInScope(actor)}`,
  )
  const refusals = facts
    .toSorted((one, other) => ids.indexOf(one.caseId) - ids.indexOf(other.caseId))
    .map(({ caseId, now, facts: known }) => ({
      caseId,
      refusal: contactGate(known, { now, isBorrower: true }),
    }))
  const found =
    refusals.find(({ refusal }) => refusal === null) ??
    refusals.find(({ refusal }) => OF_THE_DAY.includes(refusal?.problem.id ?? ''))
  if (found !== undefined) return { caseId: found.caseId, openTime: null }
  const times = refusals.flatMap(({ refusal }) => refusal?.openTime ?? [])
  return { caseId: null, openTime: times.toSorted()[0] ?? null }
}
