/**
 * Stops set and ended by the system: a grievance while its ticket is open, a payment proof while it
 * is checked, a borrower's word that the loan is paid. A leader may end one earlier by `resume`; the
 * end of its cause then changes nothing.
 */
import { type RawBuilder, sql } from 'kysely'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { holdCases, resumeCases } from './hold-cases.ts'
import { closeStop, insertStop, lockStops, type NewStop } from './stop-store.ts'

/** Days a borrower has to prove a payment claimed to the calling robot. */
const PROOF_DAYS = 2

export function holdForGrievance(
  tx: CommandTx,
  { customerId, ticketId }: { customerId: string; ticketId: string },
): Promise<void> {
  return hold(tx, { customerId, reason: 'grievance', endAt: null, remark: ticketId, ticketId })
}

export function endGrievance(tx: CommandTx, { ticketId }: { ticketId: string }): Promise<void> {
  return end(tx, sql<boolean>`s.ticket_id = ${ticketId}`)
}

export function holdForProof(
  tx: CommandTx,
  { customerId, proofId }: { customerId: string; proofId: string },
): Promise<void> {
  return hold(tx, { customerId, reason: 'proofCheck', endAt: null, remark: proofId, proofId })
}

export function endProof(tx: CommandTx, { proofId }: { proofId: string }): Promise<void> {
  return end(tx, sql<boolean>`s.proof_id = ${proofId}`)
}

/** Nobody calls until the proof could be asked for; it ends by itself. */
export async function holdForRobot(
  tx: CommandTx,
  customerId: string,
  callId: string,
): Promise<void> {
  const endAt = addDays(istDay(await tx.now()), PROOF_DAYS)
  await hold(tx, { customerId, reason: 'proofCheck', endAt, remark: callId })
}

async function hold(tx: CommandTx, stop: Omit<NewStop, 'state' | 'decided'>): Promise<void> {
  const stored = await insertStop(tx, { ...stop, state: 'active', decided: false })
  if (stored !== null) await holdCases(tx, stored)
}

async function end(tx: CommandTx, which: RawBuilder<boolean>): Promise<void> {
  for (const stop of await lockStops(tx, sql<boolean>`${which} and s.state = 'active'`))
    await resumeCases(tx, await closeStop(tx, stop, null))
}
