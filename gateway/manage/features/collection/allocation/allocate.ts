/**
 * Who gets which case (domain.md 2.2): cases of one stage are split to agencies by weight, largest remainder, then inside an
 * agency to people. Pure and deterministic: the same cases, people and seed give the same answer, whatever their order.
 * Amounts are paise, weights whole numbers, rooms numbers of cases.
 */
import type { AllocationMode } from '#shared/collection/collection-sets.ts'

export interface AllocatableCase {
  id: string
  /** Outstanding, paise. */
  amount: number
  /** Who holds it and keeps it when he may get it anyway. */
  keeperId?: string | null
  /** Whom it must not be given to: few cases have somebody. */
  barred?: readonly string[]
}

/** Somebody who may be given cases now: enabled, taking part, on duty, certified, serving the stage. */
export interface Taker {
  id: string
  agencyId: string
  /** Cases he still has room for. */
  room: number
  /** 1 to 100; counts in the modes `weight` and `ability`. */
  weight: number
  /** His recovery in the last seven days against that of all, 1 = the same; counts in the mode `ability`, clipped to 0.5 to 1.5. */
  recovery: number
  /** Cases in his hands: of two with the same claim the one with fewer comes first. */
  load: number
}

export interface AllocationTask {
  cases: readonly AllocatableCase[]
  takers: readonly Taker[]
  /** Agency → weight, 0 to 100. Those without a taker are left out and the others share their part. */
  weights: ReadonlyMap<string, number>
  mode: AllocationMode
  seed: number
  /** Agency → cases it is behind its weight (ahead: negative), from stages allocated before in the same run. It is read and kept up to date, so that roundings do not add up. */
  carry?: Map<string, number>
}

const ABILITY_MIN = 0.5
const ABILITY_MAX = 1.5
/** Weights with a fraction are counted in thousandths. */
const FINE = 1_000
/** Cases dealt in one step. */
const STEP = 10_000

export interface Part {
  weight: number
  /** Most it may get. */
  cap: number
  /** Order among equal remainders, smaller first. */
  rank: number
  /** Added to its remainder, in units of what is split. */
  carry?: number
}

/**
 * Splits whole things by weight: everybody gets his part rounded down, the rest goes to the largest remainders. Who is at his
 * cap gets no more, and what is over is split among the others by the same rule. 1003 at 50/30/20 = 501/301/201.
 * @param n how many things, a whole number ≥ 0
 * @param parts whole weights ≥ 0; a weight of 0 gets nothing
 * @returns as many numbers as parts; less than n together only when everybody with a weight is at his cap
 */
export function splitByWeight(n: number, parts: readonly Part[]): number[] {
  const given = parts.map(() => 0)
  let open = parts.map((_, index) => index).filter((index) => partAt(parts, index).weight > 0)
  let left = n
  while (open.length > 0) {
    const shares = largestRemainder(
      left,
      open.map((index) => partAt(parts, index)),
    )
    const over = open.filter((index, at) => (shares[at] as number) > partAt(parts, index).cap)
    if (over.length === 0) {
      for (const [at, index] of open.entries()) given[index] = shares[at] as number
      return given
    }
    for (const index of over) {
      given[index] = partAt(parts, index).cap
      left -= partAt(parts, index).cap
    }
    open = open.filter((index) => !over.includes(index))
  }
  return given
}

function partAt(parts: readonly Part[], index: number): Part {
  return parts[index] as Part
}

function largestRemainder(n: number, parts: readonly Part[]): number[] {
  const total = parts.reduce((sum, part) => sum + part.weight, 0)
  // whole numbers far below 2^53: the quotient's floor and the remainder are exact
  const floors = parts.map((part) => Math.floor((n * part.weight) / total))
  const claims = parts.map(
    (part, index) =>
      n * part.weight - (floors[index] as number) * total + (part.carry ?? 0) * total,
  )
  const order = parts
    .map((_, index) => index)
    .sort(
      (a, b) =>
        (claims[b] as number) - (claims[a] as number) ||
        partAt(parts, a).rank - partAt(parts, b).rank,
    )
  const rest = n - floors.reduce((sum, floor) => sum + floor, 0)
  for (const index of order.slice(0, rest)) (floors[index] as number) += 1
  return floors
}

/**
 * Gives the cases of one stage to people. Every agency gets its weight's part of the cases to within one case, unless its people
 * have no room for it; inside an agency the same holds for people in the modes `average` (all alike), `weight` and `ability`
 * (weight times recovery), while `amount` evens out the sums alone. In each mode the largest cases are dealt first, each to
 * whoever has the least in proportion (LPT), so that sums are even too. Who holds a case keeps it as long as his part allows. A case
 * that fell to somebody it is barred from is exchanged for one alike, so that nobody's part changes; where there is none it goes to
 * somebody with room, and to nobody at last.
 * @returns the taker's id for each case in the order given; null = nobody had room
 * @throws RangeError for a weight, room or amount below 0 or not whole
 */
export function allocate(task: AllocationTask): (string | null)[] {
  const steps = allocating(task)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same, a few thousand cases a step, so that a process that does other things too can let them in between. */
export function* allocating({
  cases,
  takers,
  weights,
  mode,
  seed,
  carry,
}: AllocationTask): Generator<undefined, (string | null)[]> {
  check(cases, takers, weights)
  const people = inSeededOrder(takers, seed)
  const agencies = agenciesOf(people, weights, carry)
  const quotas = splitByWeight(
    cases.length,
    agencies.map(({ part }) => part),
  )
  if (carry) keepCarry(carry, agencies, quotas, cases.length)
  const targets = people.map(() => 0)
  for (const [at, { members }] of agencies.entries()) {
    const parts = members.map((index) => ({
      weight: shareOf(people[index] as Taker, mode),
      cap: (people[index] as Taker).room,
      rank: index,
    }))
    // in proportion to nothing: room is the only bound of a person
    const own =
      mode === 'amount' ? parts.map(({ cap }) => cap) : splitByWeight(quotas[at] as number, parts)
    for (const [n, index] of members.entries()) targets[index] = own[n] as number
  }
  return yield* deal(
    cases,
    people,
    agencies.map(({ members }) => members),
    quotas,
    targets,
    mode,
  )
}

function check(
  cases: readonly AllocatableCase[],
  takers: readonly Taker[],
  weights: ReadonlyMap<string, number>,
): void {
  for (const { id, amount } of cases)
    if (!Number.isSafeInteger(amount) || amount < 0)
      throw new RangeError(`case ${id} has the amount ${amount}`)
  for (const { id, room, weight } of takers)
    if (!Number.isSafeInteger(room) || room < 0 || !Number.isSafeInteger(weight) || weight < 0)
      throw new RangeError(`taker ${id} has the room ${room} and the weight ${weight}`)
  for (const [id, weight] of weights)
    if (!Number.isSafeInteger(weight) || weight < 0)
      throw new RangeError(`agency ${id} has the weight ${weight}`)
}

/** People with room, those with less in hand first, equal ones by lot. */
function inSeededOrder(takers: readonly Taker[], seed: number): Taker[] {
  const people = takers.filter(({ room }) => room > 0).sort((a, b) => (a.id < b.id ? -1 : 1))
  const random = randomOf(seed)
  for (let n = people.length - 1; n > 0; n -= 1) {
    const other = Math.floor(random() * (n + 1))
    ;[people[n], people[other]] = [people[other] as Taker, people[n] as Taker]
  }
  return people.sort((a, b) => a.load - b.load)
}

interface AgencyPart {
  agencyId: string
  /** Places in the list of people. */
  members: number[]
  part: Part
}

function agenciesOf(
  people: readonly Taker[],
  weights: ReadonlyMap<string, number>,
  carry: Map<string, number> | undefined,
): AgencyPart[] {
  const byId = new Map<string, number[]>()
  for (const [index, { agencyId }] of people.entries()) {
    if ((weights.get(agencyId) ?? 0) === 0) continue
    const members = byId.get(agencyId)
    if (members) members.push(index)
    else byId.set(agencyId, [index])
  }
  const ids = [...byId.keys()].sort()
  return ids.map((agencyId, rank) => {
    const members = byId.get(agencyId) as number[]
    const cap = members.reduce((sum, index) => sum + (people[index] as Taker).room, 0)
    return {
      agencyId,
      members,
      part: {
        weight: weights.get(agencyId) as number,
        cap,
        rank,
        carry: carry?.get(agencyId) ?? 0,
      },
    }
  })
}

function keepCarry(
  carry: Map<string, number>,
  agencies: readonly AgencyPart[],
  quotas: readonly number[],
  n: number,
): void {
  const total = agencies.reduce((sum, { part }) => sum + part.weight, 0)
  // a rounding is carried on, a lack of room is not
  for (const [at, { agencyId, part }] of agencies.entries()) {
    const behind = (n * part.weight) / total - (quotas[at] as number)
    if (Math.abs(behind) < 1) carry.set(agencyId, (carry.get(agencyId) ?? 0) + behind)
  }
}

function shareOf({ weight, recovery }: Taker, mode: AllocationMode): number {
  switch (mode) {
    case 'average':
    case 'amount':
      return 1
    case 'weight':
      return weight
    case 'ability':
      return Math.round(weight * Math.min(ABILITY_MAX, Math.max(ABILITY_MIN, recovery)) * FINE)
  }
}

function* deal(
  cases: readonly AllocatableCase[],
  people: readonly Taker[],
  groups: readonly number[][],
  quotas: readonly number[],
  targets: readonly number[],
  mode: AllocationMode,
): Generator<undefined, (string | null)[]> {
  const answer: (string | null)[] = Array.from({ length: cases.length }, () => null)
  const order = Array.from(cases.keys()).sort(
    (a, b) =>
      (cases[b] as AllocatableCase).amount - (cases[a] as AllocatableCase).amount ||
      ((cases[a] as AllocatableCase).id < (cases[b] as AllocatableCase).id ? -1 : 1),
  )
  yield
  const placeOf = new Map(people.map(({ id }, index) => [id, index]))
  const groupOf = people.map(() => -1)
  for (const [at, members] of groups.entries()) for (const index of members) groupOf[index] = at
  const open = [...targets]
  const sums = people.map(() => 0)
  const openOf = [...quotas]
  const sumOf = groups.map(() => 0)
  const give = (index: number, which: number): void => {
    const { amount } = cases[which] as AllocatableCase
    const at = groupOf[index] as number
    answer[which] = (people[index] as Taker).id
    ;(open[index] as number) -= 1
    ;(sums[index] as number) += amount
    ;(openOf[at] as number) -= 1
    ;(sumOf[at] as number) += amount
  }
  const rest: number[] = []
  for (const which of order) {
    const keeper = placeOf.get((cases[which] as AllocatableCase).keeperId ?? '')
    if (
      keeper !== undefined &&
      !isBarred(
        cases[which] as AllocatableCase,
        (cases[which] as AllocatableCase).keeperId ?? '',
      ) &&
      (groupOf[keeper] as number) >= 0 &&
      (open[keeper] as number) > 0 &&
      (openOf[groupOf[keeper] as number] as number) > 0
    )
      give(keeper, which)
    else rest.push(which)
  }
  const agencies = new Lightest(
    groups.map((_, at) => at),
    (at) => (sumOf[at] as number) / (quotas[at] as number),
    (at) => (openOf[at] as number) > 0,
  )
  // by amount alone everybody weighs the same; else in proportion to his part
  const parts = people.map((_, index) =>
    mode === 'amount' ? 1 : Math.max(1, targets[index] as number),
  )
  const inside = groups.map(
    (members) =>
      new Lightest(
        members,
        (index) => (sums[index] as number) / (parts[index] as number),
        (index) => (open[index] as number) > 0,
      ),
  )
  let dealt = 0
  for (const which of rest) {
    const at = agencies.first()
    if (at === null) break
    const index = (inside[at] as Lightest).first()
    // an agency's quota is never above the rooms of its people
    if (index === null) throw new Error('an agency has a quota and nobody to give it to')
    give(index, which)
    dealt += 1
    if (dealt % STEP === 0) yield
    agencies.settle()
    ;(inside[at] as Lightest).settle()
  }
  for (const which of order)
    if (answer[which] != null && isBarred(cases[which] as AllocatableCase, answer[which]))
      exchange(which, cases, people, groups, answer)
  return answer
}

function isBarred({ barred }: AllocatableCase, id: string): boolean {
  return barred !== undefined && barred.includes(id)
}

/** Finds somebody else for a case that is barred from whom it fell to: within his agency before another, by the case nearest in amount that is nobody's own. */
function exchange(
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
      id === other.keeperId ||
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

/** A binary heap of those who may still get something, the least laden first, equal ones in the order given. */
class Lightest {
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

  /** The first one has been given something. */
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

/** Numbers in [0, 1) that a seed determines (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
