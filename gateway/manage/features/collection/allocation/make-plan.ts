/** What an allocation would do now: every case of its stages with the person who gets it. */
import { setImmediate } from 'node:timers/promises'
import type { AllocationMode } from '#shared/collection/collection-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { allocating } from './allocate.ts'
import { type AllocationTask, type Taker } from './allocation-task.ts'
import {
  type AllocationUnit,
  type Candidate,
  candidates,
  type CaseFilters,
  enabledAgencies,
  type StageTerms,
  stagesOf,
  type WaitingCase,
  waitingCases,
} from './allocation-facts.ts'

/** Terms of a plan, stored with it and with its run. */
export interface PlanTerms {
  stageIds: string[]
  scope: 'unallocated' | 'all'
  /** Null = each stage's own mode. */
  mode: AllocationMode | 'manual' | null
  filters: CaseFilters
  /** Per cent by agency instead of the configured weights; null = the configured ones. */
  weights: { agencyId: string; weight: number }[] | null
  /**
   * Assignments by hand come first: named cases, or the first cases of a stage without a
   * holder.
   */
  manual: ManualPick[]
  seed: number
}

export type ManualPick =
  | { caseIds: string[]; collectorId: string }
  | { stageId: string; count: number; collectorId: string }

export interface PlannedCase extends WaitingCase {
  stageId: string
  /** Null = nobody has room. */
  to: Candidate | null
}

export interface Plan {
  cases: PlannedCase[]
  people: Candidate[]
  agencies: { id: string; name: string; weight: number }[]
  /** Stages with cases that nobody may take now. */
  stagesWithout: string[]
  /** Largest deviation of an agency from its weight, in basis points of the cases. */
  maxDeviation: number
}

/** Reads in short statements and yields in between, so that other requests are not blocked. */
export async function makePlan(db: Db, unit: AllocationUnit, terms: PlanTerms): Promise<Plan> {
  const stages = await stagesOf(db, terms.stageIds)
  const people = await candidates(db, unit)
  const agencies = weighted(await enabledAgencies(db), people, unit, terms)
  const picks = picksOf(terms.manual)
  const waiting: { stage: StageTerms; cases: WaitingCase[] }[] = []
  for (const stage of stages) {
    waiting.push({
      stage,
      cases: await waitingCases(db, unit, stage.id, {
        scope: terms.scope,
        filters: terms.filters,
        ...(terms.mode === 'manual' && !picks.byStage.has(stage.id)
          ? { caseIds: [...picks.byCase.keys()] }
          : {}),
      }),
    })
    await setImmediate()
  }
  const rooms = new Rooms(people, waiting)
  const carry = new Map<string, number>()
  const cases: PlannedCase[] = []
  const stagesWithout: string[] = []
  for (const { stage, cases: all } of waiting) {
    if (all.length > 0 && !rooms.someoneServes(stage)) stagesWithout.push(stage.id)
    const rest: WaitingCase[] = []
    for (const one of all) {
      const to = rooms.byHand(stage, one, picks)
      if (to !== null || (terms.mode === 'manual' && picks.byCase.has(one.id)))
        cases.push({ ...one, stageId: stage.id, to })
      else if (terms.mode !== 'manual') rest.push(one)
    }
    const mode = terms.mode === null || terms.mode === 'manual' ? stage.mode : terms.mode
    for (const { cases: some, takers, weights, isPool } of partsOf(
      rest,
      rooms.takers(stage),
      agencies,
    )) {
      const answer = await gently({
        cases: some.map(({ id, amount, collector_id: holderId, barred }) => ({
          id,
          amount,
          holderId,
          barred,
        })),
        takers: takers.map(rooms.taker(stage)),
        weights,
        mode,
        seed: terms.seed,
        ...(isPool ? { carry } : {}),
      })
      for (const [n, id] of answer.entries())
        cases.push({
          ...(some[n] as WaitingCase),
          stageId: stage.id,
          to: id === null ? null : rooms.take(stage, id),
        })
      await setImmediate()
    }
    await setImmediate()
  }
  return { cases, people, agencies, stagesWithout, maxDeviation: deviation(cases, agencies) }
}

async function gently(task: AllocationTask): Promise<(string | null)[]> {
  const steps = allocating(task)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await setImmediate()
  }
}

/** Weights of the enabled agencies that have people in the unit. */
function weighted(
  enabled: Plan['agencies'],
  people: readonly Candidate[],
  unit: AllocationUnit,
  { weights }: PlanTerms,
): Plan['agencies'] {
  const other =
    weights === null ? null : new Map(weights.map(({ agencyId, weight }) => [agencyId, weight]))
  const all = enabled.map((agency) =>
    other === null ? agency : { ...agency, weight: other.get(agency.id) ?? 0 },
  )
  // inside one agency there is nothing to split
  return unit.kind === 'all'
    ? all
    : all
        .filter(({ id }) => people.some(({ agencyId }) => agencyId === id))
        .map((agency) => ({ ...agency, weight: 100 }))
}

/** Room of people while a plan is made; cases that would be recalled make room first. */
class Rooms {
  readonly #people: ReadonlyMap<string, Candidate>
  readonly #free = new Map<string, number>()
  readonly #inStage = new Map<string, number>()
  readonly #leaving = new Set<string>()

  constructor(
    people: readonly Candidate[],
    waiting: readonly { stage: StageTerms; cases: readonly WaitingCase[] }[],
  ) {
    this.#people = new Map(people.map((person) => [person.collectorId, person]))
    for (const { collectorId, capacity, now, nowByStage } of people) {
      this.#free.set(collectorId, capacity - now)
      for (const [stageId, n] of Object.entries(nowByStage))
        this.#inStage.set(`${collectorId} ${stageId}`, n)
    }
    for (const { stage, cases } of waiting) {
      for (const { collector_id: holder } of cases) {
        if (holder === null || !this.#people.has(holder)) continue
        this.#leaving.add(holder)
        this.#add(stage, holder, 1)
      }
    }
  }

  #add(stage: StageTerms, collectorId: string, by: number): void {
    this.#free.set(collectorId, (this.#free.get(collectorId) ?? 0) + by)
    const key = `${collectorId} ${stage.id}`
    this.#inStage.set(key, (this.#inStage.get(key) ?? 0) - by)
  }
  #room(stage: StageTerms, { collectorId }: Candidate): number {
    return Math.max(
      0,
      Math.min(
        this.#free.get(collectorId) ?? 0,
        stage.capacity - (this.#inStage.get(`${collectorId} ${stage.id}`) ?? 0),
      ),
    )
  }
  /** Being full does not bar a person whose cases are allocated again. */
  #mayTake({ collectorId, flags }: Candidate): boolean {
    return flags.every((flag) => flag === 'atCap' && this.#leaving.has(collectorId))
  }

  takers(stage: StageTerms): Candidate[] {
    return [...this.#people.values()].filter(
      (person) => person.stageIds.includes(stage.id) && this.#mayTake(person),
    )
  }
  someoneServes(stage: StageTerms): boolean {
    return this.takers(stage).length > 0
  }
  taker(stage: StageTerms): (person: Candidate) => Taker {
    return (person) => ({
      id: person.collectorId,
      agencyId: person.agencyId,
      room: this.#room(stage, person),
      weight: person.weight,
      recovery: person.recovery,
      load: person.now,
    })
  }
  take(stage: StageTerms, collectorId: string): Candidate {
    this.#add(stage, collectorId, -1)
    return this.#people.get(collectorId) as Candidate
  }
  /**
   * The person a case or its stage was assigned to by hand, if they may take it. A stage does not
   * include cases that have a holder or are with another agency.
   */
  byHand(stage: StageTerms, one: WaitingCase, { byCase, byStage }: Picks): Candidate | null {
    const named = byCase.get(one.id)
    if (named !== undefined) return one.barred.includes(named) ? null : this.#give(stage, named)
    if (one.collector_id !== null) return null
    for (const pick of byStage.get(stage.id) ?? []) {
      if (
        pick.left === 0 ||
        one.barred.includes(pick.collectorId) ||
        (one.agency_id !== null && this.#people.get(pick.collectorId)?.agencyId !== one.agency_id)
      )
        continue
      const to = this.#give(stage, pick.collectorId)
      pick.left = to === null ? 0 : pick.left - 1
      if (to !== null) return to
    }
    return null
  }
  #give(stage: StageTerms, collectorId: string): Candidate | null {
    const person = this.#people.get(collectorId)
    if (
      !person ||
      !person.stageIds.includes(stage.id) ||
      !this.#mayTake(person) ||
      this.#room(stage, person) === 0
    )
      return null
    return this.take(stage, person.collectorId)
  }
}

/** Assignments by hand: cases by id, and by stage who gets how many more. */
interface Picks {
  byCase: ReadonlyMap<string, string>
  byStage: ReadonlyMap<string, { collectorId: string; left: number }[]>
}

function picksOf(manual: readonly ManualPick[]): Picks {
  const byCase = new Map<string, string>()
  const byStage = new Map<string, { collectorId: string; left: number }[]>()
  for (const pick of manual) {
    if ('caseIds' in pick) for (const id of pick.caseIds) byCase.set(id, pick.collectorId)
    else
      byStage.set(pick.stageId, [
        ...(byStage.get(pick.stageId) ?? []),
        { collectorId: pick.collectorId, left: pick.count },
      ])
  }
  return { byCase, byStage }
}

interface PlanPart {
  cases: WaitingCase[]
  takers: Candidate[]
  weights: ReadonlyMap<string, number>
  isPool: boolean
}

/**
 * A case placed with a unit goes to people of that unit, outside the weights; the rest is split.
 */
function partsOf(
  cases: readonly WaitingCase[],
  takers: readonly Candidate[],
  agencies: Plan['agencies'],
): PlanPart[] {
  const pool: WaitingCase[] = []
  const placed = new Map<string, WaitingCase[]>()
  for (const one of cases) {
    if (one.agency_id === null || one.collector_id !== null) pool.push(one)
    else {
      const key = `${one.agency_id} ${one.department_id ?? ''} ${one.group_id ?? ''}`
      const some = placed.get(key)
      if (some) some.push(one)
      else placed.set(key, [one])
    }
  }
  const parts: PlanPart[] = [...placed]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, some]) => {
      const at = some[0] as WaitingCase
      const within = takers.filter(({ agencyId }) => agencyId === at.agency_id)
      // the narrowest unit with anybody in it, never another agency
      const department = within.filter(
        ({ departmentId }) => at.department_id === null || departmentId === at.department_id,
      )
      const group = department.filter(
        ({ groupId }) => at.group_id === null || groupId === at.group_id,
      )
      return {
        cases: some,
        takers: group.length > 0 ? group : department.length > 0 ? department : within,
        weights: new Map([[at.agency_id ?? '', 100]]),
        isPool: false,
      }
    })
  return [
    ...parts,
    {
      cases: pool,
      takers: [...takers],
      weights: new Map(agencies.map(({ id, weight }) => [id, weight])),
      isPool: true,
    },
  ]
}

function deviation(cases: readonly PlannedCase[], agencies: Plan['agencies']): number {
  const got = new Map<string, number>()
  let all = 0
  for (const { to } of cases) {
    if (to === null) continue
    all += 1
    got.set(to.agencyId, (got.get(to.agencyId) ?? 0) + 1)
  }
  return all === 0
    ? 0
    : Math.round(
        Math.max(
          0,
          ...agencies.map(
            ({ id, weight }) => Math.abs((got.get(id) ?? 0) * 10_000 - all * weight * 100) / all,
          ),
        ),
      )
}
