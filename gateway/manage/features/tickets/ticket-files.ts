/** Files of a ticket: each came with one of its steps, the first ones with what the customer wrote at first. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { ticketFile } from '#shared/tickets/tickets-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { keepFiles, openKeptFile } from '#gateway/manage/kernel/kept-files.ts'
import { ticketsInScope } from '#gateway/manage/kernel/scope.ts'
import type { FileAnswer } from '#gateway/manage/kernel/serve.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'

/** Staff owns what it sends, the customer what comes from the app. */
export async function attachFiles(
  cx: Cx,
  { feedbackId, customerId, stepId }: { feedbackId: string; customerId: string; stepId: string },
  files: readonly Upload[],
): Promise<void> {
  if (files.length === 0) return
  const ids = await keepFiles(
    cx,
    { purpose: 'ticket', name: `${feedbackId}-${stepId}`, ownerId: cx.actor.userId ?? customerId },
    files,
  )
  await sql`insert into feedback_file (step_id, n, file_id) select ${stepId}::bigint, x.n, x.id from unnest(${ids}::text[]) with ordinality x(id, n)`.execute(
    cx.db,
  )
}

/** For who sees the ticket. @throws Problem G404 */
export async function openTicketFile(
  cx: Cx,
  { feedbackId, fileId }: InputOf<typeof ticketFile>,
): Promise<FileAnswer> {
  const isOf = sql<boolean>`o.id in (
    select x.file_id from feedback_file x join feedback_step s on s.id = x.step_id join feedback t on t.id = s.feedback_id where t.id = ${feedbackId} and ${ticketsInScope(staff(cx.actor))})`
  return openKeptFile(cx, {
    fileId,
    isOf,
    action: 'ticketFile',
    targetKind: 'ticket',
    targetId: feedbackId,
  })
}
