import type { AllocatableCase, Taker } from './allocation-task.ts'

export function isBarred({ barred }: AllocatableCase, id: string): boolean {
  return barred !== undefined && barred.includes(id)
}

/**
 * Finds another taker for a case barred from the person it was dealt to: within the agency before
 * others, by exchange for the case nearest in amount that has no keeping holder.
 */
export function exchange(
  which: number,
  cases: readonly AllocatableCase[],
  people: readonly Taker[],
  groups: readonly number[][],
  answer: (string | null)[],
): void {
  const one = cases[which] as AllocatableCase
  const barredId = answer[which] as string
  const agencyOf = new Map(people.map(({ id, agencyId }) => [id, agencyId]))
  const home = agencyOf.get(barredId)
  const isAway = (id: string) => (agencyOf.get(id) === home ? 0 : 1)
  let best: number | null = null
  for (const [at, id] of answer.entries()) {
    const other = cases[at] as AllocatableCase
    if (
      id === null ||
      id === barredId ||
      id === other.holderId ||
      isBarred(one, id) ||
      isBarred(other, barredId)
    )
      continue
    if (
      best === null ||
      isNearer(
        one,
        [other, isAway(id)],
        [cases[best] as AllocatableCase, isAway(answer[best] as string)],
      )
    )
      best = at
  }
  if (best !== null) {
    answer[which] = answer[best] as string
    answer[best] = barredId
    return
  }
  const got = new Map<string, number>()
  for (const id of answer) if (id !== null) got.set(id, (got.get(id) ?? 0) + 1)
  const free = groups
    .flat()
    .map((index) => people[index] as Taker)
    .filter(({ id, room }) => !isBarred(one, id) && (got.get(id) ?? 0) < room)
  answer[which] = (free.find(({ agencyId }) => agencyId === home) ?? free[0])?.id ?? null
}

function isNearer(
  one: AllocatableCase,
  [a, aAway]: [AllocatableCase, number],
  [b, bAway]: [AllocatableCase, number],
): boolean {
  const far = Math.abs(a.amount - one.amount) - Math.abs(b.amount - one.amount)
  return aAway - bAway !== 0 ? aAway < bAway : far !== 0 ? far < 0 : a.id < b.id
}
