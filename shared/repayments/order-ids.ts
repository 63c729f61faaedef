import { idsInText, type NamedIds } from '#shared/kernel/ids-in-text.ts'

export interface NamedOrders extends Omit<NamedIds, 'ids'> {
  /** Ids without duplicates, in the order of their first occurrence. */
  orderIds: string[]
}

/** Finds order ids in a text: a column of a sheet, a comma-separated list, or one per line. */
export function ordersNamedIn(text: string): NamedOrders {
  const { ids: orderIds, ...rest } = idsInText(text, 'L')
  return { orderIds, ...rest }
}
