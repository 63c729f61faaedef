/** Whether an order matches the list's filters, as far as the known fields can tell. Pure. */
import type { Range } from '#client/ui/grid/grid-url.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { OrderRow } from '../order-types.ts'
import type { OrderFilters } from './order-filters.ts'

export type Known = Partial<OrderRow>

/** `null` = the known fields do not suffice. One filter that does not match is enough for `false`. */
export function fitsOrder(row: Known, filters: OrderFilters): boolean | null {
  let open = false
  for (const [name, test] of Object.entries(TESTS) as [
    keyof OrderFilters,
    (row: Known, wanted: never) => boolean | null,
  ][]) {
    const wanted = filters[name]
    if (wanted === undefined) continue
    // `TESTS` pairs each filter with its own value type, which a loop over both loses
    const fits = test(row, wanted as never)
    if (fits === false) return false
    if (fits === null) open = true
  }
  return open ? null : true
}

type Tests = {
  [Name in keyof OrderFilters]-?: (
    row: Known,
    wanted: NonNullable<OrderFilters[Name]>,
  ) => boolean | null
}

const TESTS: Tests = {
  orderId: (row, id) => same(row.orderId, id),
  userId: (row, id) => same(row.userId, id),
  // Personal values are masked or spelled freely, so only the server can compare them.
  userName: () => null,
  phone: () => null,
  status: (row, codes) => (row.status === undefined ? null : codes.includes(String(row.status))),
  tags: (row, tags) => (row.tags === undefined ? null : row.tags.some((tag) => tags.includes(tag))),
  productId: (row, id) => same(row.productId, id),
  appId: (row, id) => same(row.appId, id),
  channelId: (row, id) => same(row.channelId, id),
  closeType: (row, type) => same(row.closeType, type),
  amount: (row, range) => inside(row.amount, range),
  overdue: (row, range) => inside(row.overdueDays, range),
  createTime: (row, range) =>
    inside(row.createTime === undefined ? undefined : istDay(row.createTime), range),
  dueTime: (row, range) => inside(row.dueTime, range),
  closeTime: (row, range) => inside(dayOf(row.closeTime), range),
  // a row does not contain its decisions
  outcome: () => null,
  outcomeTime: () => null,
  refusalCode: () => null,
  againWithin: () => null,
}

function dayOf(time: string | null | undefined): string | null | undefined {
  return typeof time === 'string' ? istDay(time) : time
}

function same<Value>(value: Value | undefined, wanted: Value): boolean | null {
  return value === undefined ? null : value === wanted
}

/** Both ends are included; a missing value (no due day) is outside. */
function inside<Value extends number | string>(
  value: Value | null | undefined,
  { from, to }: Range<Value>,
): boolean | null {
  if (value === undefined) return null
  return (
    value !== null && (from === undefined || value >= from) && (to === undefined || value <= to)
  )
}
