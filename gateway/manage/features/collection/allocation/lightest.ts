/**
 * A binary heap of people with quota left, the least loaded first, equal ones in the order given.
 */
export class Lightest {
  readonly #heap: { item: number; key: number; rank: number }[]
  readonly #key: (item: number) => number
  readonly #isOpen: (item: number) => boolean

  constructor(
    items: readonly number[],
    key: (item: number) => number,
    isOpen: (item: number) => boolean,
  ) {
    this.#key = key
    this.#isOpen = isOpen
    this.#heap = items.filter(isOpen).map((item, rank) => ({ item, key: key(item), rank }))
    // a sorted list is a heap
    this.#heap.sort((a, b) => a.key - b.key || a.rank - b.rank)
  }

  first(): number | null {
    return this.#heap[0]?.item ?? null
  }

  /** Restores the heap after the first entry was given a case. */
  settle(): void {
    const top = this.#heap[0]
    if (!top) return
    if (this.#isOpen(top.item)) top.key = this.#key(top.item)
    else {
      const last = this.#heap.pop()
      if (last === undefined || last === top) return
      this.#heap[0] = last
    }
    this.#sink()
  }

  #sink(): void {
    const heap = this.#heap
    const top = heap[0]
    if (!top) return
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const child =
        heap[left + 1] !== undefined && before(heap[left + 1], heap[left]) ? left + 1 : left
      if (heap[child] === undefined || !before(heap[child], top)) break
      heap[at] = heap[child]
      at = child
    }
    heap[at] = top
  }
}

function before(
  a: { key: number; rank: number } | undefined,
  b: { key: number; rank: number } | undefined,
): boolean {
  if (!a || !b) return a !== undefined
  return a.key < b.key || (a.key === b.key && a.rank < b.rank)
}
