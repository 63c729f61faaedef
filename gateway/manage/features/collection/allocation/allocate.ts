/**
 * Who gets which case. Cases of one stage are split to agencies by weight and largest remainder,
 * then to the people of each agency. Pure and deterministic: the same cases, people and seed give
 * the same result in any order. Amounts are paise, weights whole numbers, rooms numbers of cases.
 */
import type { AllocationMode } from '#shared/collection/collection-sets.ts'
import { type Part, splitByWeight } from './split-by-weight.ts'
import { Lightest } from './lightest.ts'
import type { AllocatableCase, Taker, AllocationTask } from './allocation-task.ts'
import { isBarred, exchange } from './exchange-case.ts'

const ABILITY_MIN = 0.5

const ABILITY_MAX = 1.5

/** Weights with a fraction are counted in thousandths. */
const FINE = 1_000

/** Cases dealt in one step. */
const STEP = 10_000

/**
 * Gives the cases of one stage to people. Every agency gets its share by weight to within one case,
 * unless its people have no room for it. Inside an agency the same holds for people in the modes
 * `average` (all alike), `weight` and `ability` (weight times recovery), while `amount` evens out
 * the sums alone. In each mode the largest cases are dealt first, each to the person with the least
 * in proportion (LPT), so that sums are even too. A holder keeps a case as long as their share
 * allows. A case dealt to a person it is barred from is exchanged for a similar one, so that all
 * shares stay the same; without one it goes to a person with room, else to nobody.
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

/** The same in steps of a few thousand cases, so that a process can do other work in between. */
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
    // no share: room is the only bound of a person
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

/** People with room, those with fewer open cases first, equal ones in random order by seed. */
function inSeededOrder(takers: readonly Taker[], seed: number): Taker[] {
  const people = takers.filter(({ room }) => room > 0).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const random = randomOf(seed)
  for (let n = people.length - 1; n > 0; n -= 1) {
    const other = Math.floor(random() * (n + 1))
    ;[people[n], people[other]] = [people[other] as Taker, people[n] as Taker]
  }
  return people.toSorted((a, b) => a.load - b.load)
}

interface AgencyPart {
  agencyId: string
  /** Indexes into the list of people. */
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
  const ids = [...byId.keys()].toSorted()
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
  // a rounding error is carried over, a lack of room is not
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
  const order = Array.from(cases.keys()).toSorted(
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
    const holder = placeOf.get((cases[which] as AllocatableCase).holderId ?? '')
    if (
      holder !== undefined &&
      !isBarred(
        cases[which] as AllocatableCase,
        (cases[which] as AllocatableCase).holderId ?? '',
      ) &&
      (groupOf[holder] as number) >= 0 &&
      (open[holder] as number) > 0 &&
      (openOf[groupOf[holder] as number] as number) > 0
    )
      give(holder, which)
    else rest.push(which)
  }
  const agencies = new Lightest(
    groups.map((_, at) => at),
    (at) => (sumOf[at] as number) / (quotas[at] as number),
    (at) => (openOf[at] as number) > 0,
  )
  // by amount alone everybody has the same weight, else one in proportion to their share
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

/** Numbers in [0, 1) determined by a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
