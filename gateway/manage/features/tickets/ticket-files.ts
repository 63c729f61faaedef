/**
 * Files of a ticket. Each belongs to one of its steps; those of the first message belong to
 * `created`.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { ticketFile } from '#shared/tickets/tickets-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { keepFiles, openKeptFile } from '#gateway/manage/kernel/kept-files.ts'
import { ticketsInScope } from './ticket-scope.ts'
import type { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'

/** Staff owns the files it uploads, the customer those sent from the app. */
export async function attachFiles(
  tx: CommandTx,
  { feedbackId, customerId, stepId }: { feedbackId: string; customerId: string; stepId: string },
  files: readonly Upload[],
): Promise<void> {
  if (files.length === 0) return
  const ids = await keepFiles(
    tx,
    { purpose: 'ticket', name: `${feedbackId}-${stepId}`, ownerId: tx.actor.userId ?? customerId },
    files,
  )
  await sql`
    insert into feedback_file (step_id, n, file_id) select ${stepId}::bigint, x.n, x.id
      from unnest(${ids}::text[]) with ordinality x(id, n)`.execute(tx.db)
}

/** For people who see the ticket. @throws Problem G404 */
export async function openTicketFile(
  tx: CommandTx,
  { feedbackId, fileId }: InputOf<typeof ticketFile>,
): Promise<FileAnswer> {
  const isOf = sql<boolean>`o.id in (
    select x.file_id from feedback_file x join feedback_step s on s.id = x.step_id
      join feedback t on t.id = s.feedback_id where t.id = ${feedbackId}
      and ${ticketsInScope(staff(tx.actor))})`
  return openKeptFile(tx, {
    fileId,
    isOf,
    action: 'ticketFile',
    targetKind: 'ticket',
    targetId: feedbackId,
  })
}
