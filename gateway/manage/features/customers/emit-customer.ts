import { CUSTOMER_CHANGED } from '#shared/customers/customers-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/**
 * Emits that the customer changed; the page and the list refetch.
 * @param version of the customer's row, null when another table changed
 * @param fields names, never values
 * @param rooms in addition to the customer's own
 */
export function emitCustomer(
  tx: CommandTx,
  userId: string,
  version: number | null,
  fields: string[],
  rooms: readonly string[] = [],
): void {
  tx.emit(CUSTOMER_CHANGED, {
    subject: `customer:${userId}`,
    ...(version === null ? {} : { version }),
    rooms: ['scope:all', 'menu:customer_list', `customer:${userId}`, ...rooms],
    data: { userId, fields },
  })
}
