/** What a leader wants allocated and the server's plan for it: editing → previewed → run. */
import { useState } from 'react'
import { CallError } from '#client/session/call-error.ts'
import { useSend } from '#client/session/query.ts'
import { failureText } from '#client/ui/feedback/failure.ts'
import {
  autoAllocate,
  type PlanConflict,
  previewAllocation,
} from '#shared/collection/allocation-api.ts'
import { NO_COLLECTOR } from '#shared/collection/collection-problems.ts'
import type { AllocationMode } from '#shared/collection/collection-sets.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { CHANGED_BY_OTHER, NOT_FOUND } from '#shared/kernel/problem.ts'
import type { Desk } from './allocation-tree.ts'

export type Plan = DataOf<typeof previewAllocation>
export type PlanMode = AllocationMode | 'manual'

/** The first cases of a stage, assigned to a person by hand. */
export interface StageHandPick {
  stageId: string
  collectorId: string
  count: number
}

/** Cases chosen in the pool's list. */
export interface ChosenCases {
  caseIds: readonly string[]
  stageIds: readonly string[]
}

/** Chosen cases assigned to a person by hand. */
export interface CasesHandPick extends ChosenCases {
  collectorId: string
}

export type HandPick = StageHandPick | CasesHandPick

export interface Terms {
  /** Null = every stage with cases that can be allocated; with allocated cases too, every stage. */
  stages: ReadonlySet<string> | null
  scope: 'unallocated' | 'all'
  mode: PlanMode
  overdueFrom: number | null
  overdueTo: number | null
  /** Per cent of this run by agency, where it differs from the configured weight. */
  weights: ReadonlyMap<string, number>
  picks: readonly HandPick[]
}

const FIRST: Terms = {
  stages: null,
  scope: 'unallocated',
  mode: 'average',
  overdueFrom: null,
  overdueTo: null,
  weights: new Map(),
  picks: [],
}

export type Conflict = PlanConflict & { userName: string }

export interface AllocationPlan {
  terms: Terms
  /** Changes the terms and drops the plan made from the old ones. */
  edit: (change: Partial<Terms>) => void
  plan: Plan | null
  /** People, pool or weights have changed since the plan was made or refused. */
  isStale: boolean
  /** Why the last attempt was refused, and whether the cause is missing people. */
  refusal: { text: string; lacksPeople: boolean } | null
  /** Another user's newer version of the same plan. */
  conflict: Conflict | null
  /** Continues from the other version. */
  takeOver: () => void
  isMaking: boolean
  /** @param given assignments to plan with at once, before the state holds them */
  make: (given?: Partial<Terms>) => Promise<void>
  run: () => Promise<void>
}

export function useAllocationPlan(desk: Desk | undefined): AllocationPlan {
  const preview = useSend(previewAllocation, { quiet: true })
  const start = useSend(autoAllocate, { quiet: true })
  const [terms, setTerms] = useState(FIRST)
  const [plan, setPlan] = useState<Plan | null>(null)
  const [known, setKnown] = useState<Pick<Plan, 'planId' | 'version'> | null>(null)
  const [refusal, setRefusal] = useState<AllocationPlan['refusal']>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [madeOf, setMadeOf] = useState('')
  const facts = desk === undefined ? '' : factsOf(desk)
  const isStale = facts !== madeOf

  const edit = (change: Partial<Terms>) => {
    setPlan(null)
    setRefusal(null)
    setTerms((now) => ({ ...now, ...change }))
  }
  const fail = (error: unknown) => {
    setPlan(null)
    const problem = error instanceof CallError ? error.problem : null
    if (problem?.id === CHANGED_BY_OTHER.id)
      setConflict({
        ...((error as CallError).data as PlanConflict),
        userName: String(problem.params.userName ?? ''),
      })
    else setRefusal({ text: failureText(error), lacksPeople: problem?.id === NO_COLLECTOR.id })
  }
  const keep = (made: Plan) => {
    setPlan(made)
    setKnown({ planId: made.planId, version: made.version })
  }

  async function make(given: Partial<Terms> = {}): Promise<void> {
    if (!desk) return
    const wanted = { ...terms, ...given }
    setTerms(wanted)
    setRefusal(null)
    setConflict(null)
    setMadeOf(facts)
    const input = inputOf(desk, wanted)
    try {
      keep(
        await preview.mutateAsync({ ...input, ...known }).catch((error: unknown) => {
          // a plan expires after half an hour; a new one is made from the same terms
          if (known !== null && error instanceof CallError && error.problem?.id === NOT_FOUND.id)
            return preview.mutateAsync(input)
          throw error
        }),
      )
    } catch (error) {
      fail(error)
    }
  }
  async function run(): Promise<void> {
    if (plan === null) return
    try {
      await start.mutateAsync({ planId: plan.planId, version: plan.version })
      setPlan(null)
      setKnown(null)
      setTerms((now) => ({ ...now, picks: [] }))
    } catch (error) {
      fail(error)
    }
  }
  function takeOver(): void {
    if (conflict === null) return
    keep(conflict.plan)
    setConflict(null)
  }
  return {
    terms,
    edit,
    plan,
    isStale,
    // its cause may be gone
    refusal: isStale ? null : refusal,
    conflict,
    takeOver,
    isMaking: preview.isPending,
    make,
    run,
  }
}

/** What decides whether and how cases can be allocated. */
function factsOf({ pool, lines, agencies }: Desk): string {
  return JSON.stringify([
    pool.map(({ cases, allocationState }) => [cases, allocationState]),
    lines.map(({ onDuty, flags, capacity }) => [onDuty, flags, capacity]),
    agencies.map(({ weight, status }) => [weight, status]),
  ])
}

/** Stages of the terms. */
export function stagesOf(
  desk: Pick<Desk, 'pool'>,
  { stages, scope }: Pick<Terms, 'stages' | 'scope'>,
): Desk['pool'] {
  return desk.pool.filter((stage) =>
    stages === null
      ? (stage.cases > 0 || scope === 'all') && stage.allocationState === 'allocated'
      : stages.has(stage.stageId),
  )
}

/** Weights of this run, per cent. */
export function weightsOf(
  desk: Desk,
  { weights }: Terms,
): { weightOf: (agencyId: string) => number; total: number; areOther: boolean } {
  const enabled = desk.agencies.filter((agency) => agency.status === 'enabled')
  const set = new Map(desk.agencies.map((agency) => [agency.agencyId, agency.weight]))
  const weightOf = (agencyId: string) => weights.get(agencyId) ?? set.get(agencyId) ?? 0
  return {
    weightOf,
    total: enabled.reduce((sum, { agencyId }) => sum + weightOf(agencyId), 0),
    areOther: enabled.some(({ agencyId, weight }) => weightOf(agencyId) !== weight),
  }
}

function inputOf(desk: Desk, terms: Terms): InputOf<typeof previewAllocation> {
  const { weightOf, areOther } = weightsOf(desk, terms)
  const { scope, mode, overdueFrom, overdueTo, picks } = terms
  const stageIds = [
    ...new Set([
      ...stagesOf(desk, terms).map((stage) => stage.stageId),
      ...picks.flatMap((pick) => ('caseIds' in pick ? pick.stageIds : [pick.stageId])),
    ]),
  ]
  return {
    stageIds,
    scope,
    mode,
    ...(overdueFrom === null && overdueTo === null
      ? {}
      : {
          filters: {
            ...(overdueFrom === null ? {} : { overdueFrom }),
            ...(overdueTo === null ? {} : { overdueTo }),
          },
        }),
    ...(areOther
      ? {
          weights: desk.agencies
            .filter((agency) => agency.status === 'enabled')
            .map(({ agencyId }) => ({ agencyId, weight: weightOf(agencyId) })),
        }
      : {}),
    ...(picks.length > 0
      ? {
          manual: picks.map((pick) =>
            'caseIds' in pick
              ? { caseIds: [...pick.caseIds], collectorId: pick.collectorId }
              : { ...pick },
          ),
        }
      : {}),
  }
}
