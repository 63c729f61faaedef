/**
 * Stops set and ended by the system: a grievance while its ticket is open, a payment proof while it
 * is checked. A leader may end one earlier by `resume`; the end of its cause then changes nothing.
 */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { holdCases, resumeCases } from './hold-cases.ts'
import { closeStop, insertStop, lockStops } from './stop-store.ts'

export async function holdForGrievance(
  tx: CommandTx,
  { customerId, ticketId }: { customerId: string; ticketId: string },
): Promise<void> {
  const stop = await insertStop(tx, {
    customerId,
    reason: 'grievance',
    state: 'active',
    endAt: null,
    remark: ticketId,
    ticketId,
    decided: false,
  })
  if (stop !== null) await holdCases(tx, stop)
}

export async function endGrievance(
  tx: CommandTx,
  { ticketId }: { ticketId: string },
): Promise<void> {
  for (const stop of await lockStops(
    tx,
    sql<boolean>`s.ticket_id = ${ticketId} and s.state = 'active'`,
  ))
    await resumeCases(tx, await closeStop(tx, stop, null))
}

export async function holdForProof(
  tx: CommandTx,
  { customerId, proofId }: { customerId: string; proofId: string },
): Promise<void> {
  const stop = await insertStop(tx, {
    customerId,
    reason: 'proofCheck',
    state: 'active',
    endAt: null,
    remark: proofId,
    proofId,
    decided: false,
  })
  if (stop !== null) await holdCases(tx, stop)
}

export async function endProof(tx: CommandTx, { proofId }: { proofId: string }): Promise<void> {
  for (const stop of await lockStops(
    tx,
    sql<boolean>`s.proof_id = ${proofId} and s.state = 'active'`,
  ))
    await resumeCases(tx, await closeStop(tx, stop, null))
}
