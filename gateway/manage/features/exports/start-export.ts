import type { DataOf } from '#shared/kernel/endpoint.ts'
import { exportCode, mayCall } from '#shared/kernel/permission.ts'
import { FORBIDDEN, INVALID_FIELDS, Problem, TOO_MANY_ROWS } from '#shared/kernel/problem.ts'
import * as api from '#shared/exports/exports-api.ts'
import { TWO_EXPORTS_AT_ONCE } from '#shared/exports/exports-problems.ts'
import { mayOpenPhones } from '#gateway/manage/features/customers/public.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { ExportableList, House } from '#gateway/manage/kernel/house.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { askForExport } from './export-approval.ts'
import { type ExportInput, exportsUnderWay, queueExport } from './queue-export.ts'

/** Of one person (trust.md F8). */
export const MOST_AT_ONCE = 2

interface Permitted {
  list: ExportableList
  /** That lets this person export this list with these filters. */
  code: string
}

/** @throws Problem G403 */
export function permittedList(
  house: House,
  { rights: { permissions } }: StaffActor,
  { list: path, filters }: Pick<ExportInput, 'list' | 'filters'>,
): Permitted {
  const list = house.lists.get(path)
  // what is no list answers like one that is not his: a refusal says nothing of what exists
  const code =
    list && mayCall(list.endpoint.access, permissions)
      ? exportCode(list.endpoint, permissions, filters)
      : null
  if (!list || code === null) throw new Problem(FORBIDDEN)
  return { list, code }
}

/** @throws Problem G403 where the list shows no phones or this person may not open them */
export function permittedReveal(actor: StaffActor, list: ExportableList, code: string): void {
  if (!api.showsPhones(list.endpoint)) throw new Problem(FORBIDDEN)
  mayOpenPhones(actor, code.slice(0, code.indexOf(':')))
}

/** How many rows it is about, exact to `export.max`. @throws Problem G403, and as the list does */
export async function countExport(
  { actor, house }: Query,
  input: ExportInput,
): Promise<{ rows: number; most: number; approveAbove: number }> {
  const { list, code } = permittedList(house, actor, input)
  if (input.reveal === true) permittedReveal(actor, list, code)
  const [most, approveAbove] = await Promise.all([
    house.parameters.int('export.max'),
    house.parameters.int('export.approveAbove'),
  ])
  const found = await list.count(actor, input.filters, most)
  return { rows: Math.min(found, input.only?.ids.length ?? found), most, approveAbove }
}

/** @returns the job, or the request that a second person decides first @throws Problem G403, G-MAX, E-TWO, G422 without a reason, A-OPEN */
export async function startExport(
  cx: Cx,
  input: ExportInput,
  { rows, most, approveAbove }: { rows: number; most: number; approveAbove: number },
): Promise<DataOf<typeof api.startExport>> {
  const actor = staff(cx.actor)
  const { code } = permittedList(cx.house, actor, input)
  if (input.reveal === true && input.reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  if (rows > most) throw new Problem(TOO_MANY_ROWS, { n: most })
  if (rows > approveAbove) return { approvalId: await askForExport(cx, input, code, rows) }
  if ((await exportsUnderWay(cx, actor.userId)) >= MOST_AT_ONCE)
    throw new Problem(TWO_EXPORTS_AT_ONCE)
  return { jobId: await queueExport(cx, input, { code }) }
}
