/**
 * Circles of imports: groups of files of which each reaches each other one. Pure: from a graph to its
 * strongly connected components with more than one file (Tarjan).
 */
export function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const path: string[] = []
  const found: string[][] = []

  /** @returns the place of the first file of the walk that this one leads back to */
  function walk(file: string): number {
    const place = order.size
    order.set(file, place)
    path.push(file)
    let lowest = place
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) lowest = Math.min(lowest, walk(next))
      else if (path.includes(next)) lowest = Math.min(lowest, order.get(next) ?? place)
    }
    if (lowest === place) {
      const group = path.splice(path.indexOf(file))
      if (group.length > 1) found.push(group.toSorted())
    }
    return lowest
  }

  for (const file of graph.keys()) if (!order.has(file)) walk(file)
  return found
}
