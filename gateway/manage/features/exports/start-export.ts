import type { DataOf } from '#shared/kernel/endpoint.ts'
import { exportCode, mayCall } from '#shared/kernel/permission.ts'
import { FORBIDDEN, INVALID_FIELDS, Problem, TOO_MANY_ROWS } from '#shared/kernel/problem.ts'
import * as api from '#shared/exports/exports-api.ts'
import { TWO_EXPORTS_AT_ONCE } from '#shared/exports/exports-problems.ts'
import { mayOpenPhones } from '#gateway/manage/features/customers/public.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { ExportableList, AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { requestExport } from './export-approval.ts'
import { type ExportInput, exportsUnderWay, queueExport } from './queue-export.ts'

/** Exports one person may have at once. */
export const MOST_AT_ONCE = 2

interface Permitted {
  list: ExportableList
  /** The code that allows this person to export this list with these filters. */
  code: string
}

/** @throws Problem G403 */
export function permittedList(
  context: AppContext,
  { rights: { permissions } }: StaffActor,
  { list: path, filters }: Pick<ExportInput, 'list' | 'filters'>,
): Permitted {
  const list = context.lists.get(path)
  // an unknown list is refused like a forbidden one, so that the answer reveals nothing
  const code =
    list && mayCall(list.endpoint.access, permissions)
      ? exportCode(list.endpoint, permissions, filters)
      : null
  if (!list || code === null) throw new Problem(FORBIDDEN)
  return { list, code }
}

/** @throws Problem G403 when the list has no phones or the caller may not reveal them */
export function permittedReveal(actor: StaffActor, list: ExportableList, code: string): void {
  if (!api.showsPhones(list.endpoint)) throw new Problem(FORBIDDEN)
  mayOpenPhones(actor, code.slice(0, code.indexOf(':')))
}

/**
 * The number of rows, exact up to `export.max`.
 * @throws Problem G403, and every problem of the list
 */
export async function countExport(
  { actor, context }: Query,
  input: ExportInput,
): Promise<{ rows: number; most: number; approveAbove: number }> {
  const { list, code } = permittedList(context, actor, input)
  if (input.reveal === true) permittedReveal(actor, list, code)
  const [most, approveAbove] = await Promise.all([
    context.parameters.int('export.max'),
    context.parameters.int('export.approveAbove'),
  ])
  const found = await list.count(actor, input.filters, most)
  return { rows: Math.min(found, input.only?.ids.length ?? found), most, approveAbove }
}

/**
 * @returns the job, or the request that needs a second person's approval
 * @throws Problem G403, G-MAX, E-TWO, G-FIELD without a reason, A-OPEN
 */
export async function startExport(
  tx: CommandTx,
  input: ExportInput,
  { rows, most, approveAbove }: { rows: number; most: number; approveAbove: number },
): Promise<DataOf<typeof api.startExport>> {
  const actor = staff(tx.actor)
  const { code } = permittedList(tx.context, actor, input)
  if (input.reveal === true && input.reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  if (rows > most) throw new Problem(TOO_MANY_ROWS, { n: most })
  if (rows > approveAbove) return { approvalId: await requestExport(tx, input, code, rows) }
  if ((await exportsUnderWay(tx, actor.userId)) >= MOST_AT_ONCE)
    throw new Problem(TWO_EXPORTS_AT_ONCE)
  return { jobId: await queueExport(tx, input, { code }) }
}
