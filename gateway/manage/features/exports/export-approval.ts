/**
 * An export above the personal row limit needs the approval of a second person who may export as
 * much.
 */
import { sql } from 'kysely'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { scopeName } from '#gateway/manage/kernel/scope.ts'
import { type ExportInput, loggedFilters, queueExport } from './queue-export.ts'

const SEALED_AT = 'export_request.input_enc'

/** What the approver sees, without values that identify a person. */
interface Shown extends Record<string, unknown> {
  code: string
  scope: string
  title: string
  format: string
  columns: string[]
  filters: Record<string, unknown>
  reveal?: boolean
}

/**
 * @returns id of the request
 * @throws Problem G-FIELD without a reason, A-OPEN when the same person has requested the same
 */
export async function requestExport(
  tx: CommandTx,
  input: ExportInput,
  code: string,
  rows: number,
): Promise<string> {
  const { reason, list, filters, format, title, columns, only = null, reveal = false } = input
  if (reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const actor = staff(tx.actor)
  const { secrets } = tx.context
  const same = secrets
    .blindIndex(
      'export',
      JSON.stringify([actor.userId, list, Object.entries(filters).toSorted(), only, reveal]),
    )
    .toString('hex')
    .slice(0, 32)
  const shown: Shown = {
    code,
    scope: scopeName(actor),
    title,
    format,
    columns: columns.map((column) => column.title),
    filters: loggedFilters(filters),
    reveal,
  }
  const { id } = await requestApproval(tx, exportApproval, {
    targetKind: 'list',
    targetId: same,
    payload: shown,
    amount: 0,
    count: rows,
    reason,
  })
  await sql`
    insert into export_request (id, input_enc)
      values (${id}, ${secrets.seal(SEALED_AT, id, JSON.stringify(input))})`.execute(tx.db)
  tx.log({
    action: 'export',
    menu: code.slice(0, code.indexOf(':')),
    targetKind: 'approval',
    targetId: id,
    after: { list, format, columns: columns.length, filters: loggedFilters(filters), rows, reason },
  })
  return id
}

export const exportApproval: ApprovalKind = {
  kind: 'export',
  menu: null,
  approveCode: null,
  orderIds: () => [],
  fileOf({ payload, count }) {
    const { code, title, format, columns, filters, reveal = false } = payload as Shown
    return {
      menu: code.slice(0, code.indexOf(':')),
      title,
      format,
      rows: count,
      columns,
      reveal,
      filters: Object.entries(filters).map(([name, value]) => ({ name, value: String(value) })),
    }
  },
  async carryOut(tx, { id, payload, requested_by: userId, requested_by_name: userName }) {
    const { rows } = await sql<{
      sealed: Buffer
    }>`delete from export_request e where e.id = ${id} returning e.input_enc as sealed`.execute(
      tx.db,
    )
    const request = rows[0]
    if (!request) throw new Problem(NOT_FOUND)
    // sealed by askForExport
    const input = JSON.parse(tx.context.secrets.open(SEALED_AT, id, request.sealed)) as ExportInput
    await queueExport(
      tx,
      input,
      { code: (payload as Shown).code, approvalId: id },
      { userId, userName },
    )
  },
  async dropped(tx, { id }) {
    await sql`delete from export_request e where e.id = ${id}`.execute(tx.db)
  },
}
