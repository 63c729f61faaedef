/**
 * Stops the system sets and ends with what caused them: a grievance while its ticket is open (domain.md 1, rule 8), a payment
 * proof while it is checked. A leader may end one before by `resume`; then the end of its cause finds nothing to do.
 */
import { sql } from 'kysely'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { holdCases, resumeCases } from './hold-cases.ts'
import { closeStop, insertStop, lockStops } from './stop-store.ts'

export async function holdForGrievance(
  cx: Cx,
  { customerId, ticketId }: { customerId: string; ticketId: string },
): Promise<void> {
  const stop = await insertStop(cx, {
    customerId,
    reason: 'grievance',
    state: 'active',
    endAt: null,
    remark: ticketId,
    ticketId,
    decided: false,
  })
  if (stop !== null) await holdCases(cx, stop)
}

export async function endGrievance(cx: Cx, { ticketId }: { ticketId: string }): Promise<void> {
  for (const stop of await lockStops(
    cx,
    sql<boolean>`s.ticket_id = ${ticketId} and s.state = 'active'`,
  ))
    await resumeCases(cx, await closeStop(cx, stop, null))
}

export async function holdForProof(
  cx: Cx,
  { customerId, proofId }: { customerId: string; proofId: string },
): Promise<void> {
  const stop = await insertStop(cx, {
    customerId,
    reason: 'proofCheck',
    state: 'active',
    endAt: null,
    remark: proofId,
    proofId,
    decided: false,
  })
  if (stop !== null) await holdCases(cx, stop)
}

export async function endProof(cx: Cx, { proofId }: { proofId: string }): Promise<void> {
  for (const stop of await lockStops(
    cx,
    sql<boolean>`s.proof_id = ${proofId} and s.state = 'active'`,
  ))
    await resumeCases(cx, await closeStop(cx, stop, null))
}
