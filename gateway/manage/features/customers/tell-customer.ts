import { CUSTOMER_CHANGED } from '#shared/customers/customers-live.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'

/** His row has a new version: his page and the list read it again. @param fields names, never values @param rooms beside theirs */
export function tellCustomer(cx: Cx, userId: string, version: number, fields: string[], rooms: readonly string[] = []): void {
  cx.emit(CUSTOMER_CHANGED, { subject: `customer:${userId}`, version, rooms: ['scope:all', 'menu:customer_list', `customer:${userId}`, ...rooms], data: { userId, fields } })
}
