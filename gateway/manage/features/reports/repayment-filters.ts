/** Filters of the reports of due days; a supervisor of a department sees the orders of its cases. */
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { tagsOf } from './order-class.ts'
import type { Source } from './report-parts.ts'
import { NOTHING, unitFilter } from './unit-filter.ts'

interface Chosen {
  appId?: string
  productId?: string
  tag?: string
  customerClass?: 'new' | 'old'
}

export function repaymentFilters(
  actor: StaffActor,
  { appId, productId, tag, customerClass }: Chosen,
): Source['filters'] {
  const ofClass = tagsOf(customerClass)
  const both =
    tag === undefined ? ofClass : (ofClass?.split(',').includes(tag) ?? true) ? tag : 'none'
  return { app_id: appId, product_id: productId, tag: both, department_id: departmentOf(actor) }
}

function departmentOf(actor: StaffActor): string | undefined {
  if (actor.rights.scope === 'all') return undefined
  return unitFilter(actor).department_id ?? NOTHING
}
