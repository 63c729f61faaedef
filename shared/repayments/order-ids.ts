export interface NamedOrders {
  /** Ids, each once, as it stands first. */
  orderIds: string[]
  /** Ids that stand there again. */
  repeated: string[]
  /** What has a digit and is no id: somebody meant something by it. */
  unreadable: string[]
}

/** Orders named in a text: a column of a sheet, a list with commas, one a line. Headers and words are passed over. */
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
