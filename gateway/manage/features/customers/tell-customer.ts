import { CUSTOMER_CHANGED } from '#shared/customers/customers-live.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'

/** Something about him is new: his page and the list read it again. @param version of his row, null when it stands elsewhere @param fields names, never values @param rooms beside theirs */
export function tellCustomer(
  cx: Cx,
  userId: string,
  version: number | null,
  fields: string[],
  rooms: readonly string[] = [],
): void {
  cx.emit(CUSTOMER_CHANGED, {
    subject: `customer:${userId}`,
    ...(version === null ? {} : { version }),
    rooms: ['scope:all', 'menu:customer_list', `customer:${userId}`, ...rooms],
    data: { userId, fields },
  })
}
