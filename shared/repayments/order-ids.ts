export interface NamedOrders {
  /** Ids without duplicates, in the order of their first occurrence. */
  orderIds: string[]
  /** Ids that occur more than once. */
  repeated: string[]
  /** Tokens with a digit that are not ids: probably mistyped. */
  unreadable: string[]
}

/**
 * Finds order ids in a text: a column of a sheet, a comma-separated list, or one per line. Headers
 * and words are skipped.
 */
export function ordersNamedIn(text: string): NamedOrders {
  const words = text.split(/[\s,;"']+/).filter((word) => /\d/.test(word))
  const named = words.filter((word) => /^L\d{4,20}$/.test(word))
  const orderIds = [...new Set(named)]
  return {
    orderIds,
    repeated: orderIds.filter((id) => named.indexOf(id) !== named.lastIndexOf(id)),
    unreadable: [...new Set(words.filter((word) => !named.includes(word)))],
  }
}
