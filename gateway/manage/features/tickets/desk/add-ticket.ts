import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { addTicket as addCall } from '#shared/tickets/tickets-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { customerInScope } from '#gateway/manage/features/customers/public.ts'
import { openTicket } from './open-ticket.ts'

/**
 * Staff opens a ticket for a customer.
 * @throws Problem G404 for a customer outside the caller's scope or an order of another customer
 */
export async function addTicket(
  tx: CommandTx,
  { userId, type, content, orderId, contactWay }: InputOf<typeof addCall>,
  files: readonly Upload[],
): Promise<DataOf<typeof addCall>> {
  const visible =
    await sql`select from customer c where c.id = ${userId} and ${customerInScope(staff(tx.actor))}`.execute(
      tx.db,
    )
  if (visible.rows.length === 0) throw new Problem(NOT_FOUND)
  const { feedbackId, queue } = await openTicket(tx, {
    customerId: userId,
    type,
    content,
    orderId: orderId ?? null,
    contactWay,
    files,
  })
  return { feedbackId, queue }
}
