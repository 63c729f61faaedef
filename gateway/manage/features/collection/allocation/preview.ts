/**
 * A plan for preview and editing. It is kept for half an hour; the run plans again from the cases as
 * they are then.
 */
import { sql } from 'kysely'
import type { previewAllocation as previewCall } from '#shared/collection/allocation-api.ts'
import { NO_COLLECTOR, WEIGHTS_TOTAL } from '#shared/collection/collection-problems.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { CHANGED_BY_OTHER, INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { type Actor, staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  type Candidate,
  enabledAgencies,
  type Excluded,
  excludedCases,
  isOfUnit,
  unitOf,
} from './allocation-facts.ts'
import { makePlan, type Plan, type PlanTerms } from './make-plan.ts'

type Preview = DataOf<typeof previewCall>
type View = Omit<Preview, 'planId' | 'version' | 'seed' | 'createdByName' | 'expireTime'>

/** Earlier versions kept, to show what another user changed. */
const MOST_HISTORY = 20

interface Version {
  version: number
  terms: PlanTerms
  /** Collector → cases they would get. */
  gets: Record<string, number>
}

interface StoredPlan {
  id: string
  version: number
  terms: PlanTerms
  view: View
  history: Version[]
  created_by_name: string
  expires: string
}

/**
 * @throws Problem A-100 when edited weights do not total 100, C-NONE when nobody may take any case,
 * G-FIELD for a plan by hand without cases, G404 for a plan that is unknown, expired or of another
 * unit, G409 with the newer version and the difference when another user changed it
 */
export async function previewAllocation(
  tx: CommandTx,
  input: InputOf<typeof previewCall>,
): Promise<Preview> {
  const actor = staff(tx.actor)
  const unit = unitOf(actor)
  const before = input.planId === undefined ? null : await lockPlan(tx, input.planId, input.version)
  const terms: PlanTerms = {
    stageIds: input.stageIds,
    scope: input.scope,
    mode: input.mode,
    filters: input.filters ?? {},
    weights: input.weights ?? null,
    manual: input.manual ?? [],
    // an edit keeps the seed, so that only the edited parts change
    seed: before?.terms.seed ?? newSeed(),
  }
  await checkTerms(tx.db, actor, terms)
  const plan = await makePlan(tx.db, unit, terms)
  if (plan.cases.length > 0 && plan.cases.every(({ to }) => to === null))
    throw noTaker(plan.stagesWithout, plan.cases[0]?.stageId)
  const view = viewOf(plan, await excludedCases(tx.db, unit, terms.stageIds, terms.scope))
  const { rows } =
    before === null
      ? await sql<StoredPlan>`
          insert into allocation_plan (unit_kind, unit_id, terms, view, created_by, created_by_name,
            expires_at)
          values (${unit.kind}, ${unit.id}, ${JSON.stringify(terms)}::jsonb, ${JSON.stringify(view)}::jsonb,
            ${actor.userId}, ${actor.userName}, clock_timestamp() + interval '30 minutes')
          returning id, version, created_by_name, expires_at as expires`.execute(tx.db)
      : await sql<StoredPlan>`
          update allocation_plan set terms = ${JSON.stringify(terms)}::jsonb,
            view = ${JSON.stringify(view)}::jsonb,
            history = ${JSON.stringify([...before.history, versionOf(before)].slice(-MOST_HISTORY))}::jsonb,
            created_by = ${actor.userId}, created_by_name = ${actor.userName}, version = version + 1,
              updated_at = clock_timestamp(), expires_at = clock_timestamp() + interval '30 minutes'
          where id = ${before.id} returning id, version, created_by_name, expires_at as expires`.execute(
          tx.db,
        )
  const stored = rows[0] as StoredPlan
  tx.log({
    menu: 'pedding_list',
    action: 'previewAllocation',
    targetKind: 'plan',
    targetId: stored.id,
    after: {
      stageIds: terms.stageIds,
      scope: terms.scope,
      mode: terms.mode,
      cases: view.cases,
      version: stored.version,
    },
  })
  return answerOf({ ...stored, terms, view })
}

/**
 * The terms of a stored plan.
 * @throws Problem G404, G409 with the newer version and the difference
 */
export async function takePlan(
  tx: CommandTx,
  planId: string,
  version: number | undefined,
): Promise<PlanTerms> {
  return (await lockPlan(tx, planId, version)).terms
}

/** @throws Problem A-100, G-FIELD */
export async function checkTerms(
  db: Db,
  actor: Actor,
  { weights, mode, manual }: PlanTerms,
): Promise<void> {
  if (mode === 'manual' && manual.length === 0)
    throw new Problem(INVALID_FIELDS, {}, { fields: { manual: 'required' } })
  if (unitOf(actor).kind !== 'all') return
  const given =
    weights === null ? null : new Map(weights.map(({ agencyId, weight }) => [agencyId, weight]))
  const total = (await enabledAgencies(db)).reduce(
    (sum, { id, weight }) => sum + (given === null ? weight : (given.get(id) ?? 0)),
    0,
  )
  if (total !== 100) throw new Problem(WEIGHTS_TOTAL, {}, { total })
}

export function noTaker(stagesWithout: readonly string[], stageId: string | undefined): Problem {
  return new Problem(
    NO_COLLECTOR,
    { stage: stagesWithout.length > 0 ? stagesWithout.join(', ') : (stageId ?? '') },
    { stages: stagesWithout },
  )
}

export function newSeed(): number {
  return Math.floor(Math.random() * 2_147_483_647)
}

async function lockPlan(
  tx: CommandTx,
  planId: string,
  version: number | undefined,
): Promise<StoredPlan> {
  const { rows } = await sql<StoredPlan>`
    select p.id, p.version, p.terms, p.view, p.history, p.created_by_name, p.expires_at as expires
      from allocation_plan p where p.id = ${planId} and p.expires_at > clock_timestamp()
      and ${isOfUnit(tx.actor, 'p')} for update`.execute(tx.db)
  const plan = rows[0]
  if (!plan) throw new Problem(NOT_FOUND)
  if (plan.version !== version)
    throw new Problem(
      CHANGED_BY_OTHER,
      { userName: plan.created_by_name },
      {
        plan: answerOf(plan),
        changes: differenceOf(
          plan,
          plan.history.find((one) => one.version === version),
        ),
      },
    )
  return plan
}

function versionOf({ version, terms, view }: StoredPlan): Version {
  return {
    version,
    terms,
    gets: Object.fromEntries(
      view.rows.filter(({ gets }) => gets > 0).map(({ collectorId, gets }) => [collectorId, gets]),
    ),
  }
}

/**
 * What changed since a version: terms by name, and people who would get another number of cases.
 */
function differenceOf(
  plan: StoredPlan,
  since: Version | undefined,
): {
  terms: string[]
  rows: { collectorId: string; collectorName: string; before: number; after: number }[]
} {
  if (!since) return { terms: [], rows: [] }
  const names = ['stageIds', 'scope', 'mode', 'filters', 'weights', 'manual'] as const
  return {
    terms: names.filter(
      (name) => JSON.stringify(plan.terms[name]) !== JSON.stringify(since.terms[name]),
    ),
    rows: plan.view.rows
      .map(({ collectorId, collectorName, gets }) => ({
        collectorId,
        collectorName,
        before: since.gets[collectorId] ?? 0,
        after: gets,
      }))
      .filter(({ before, after }) => before !== after),
  }
}

function answerOf({
  id,
  version,
  terms,
  view,
  created_by_name: createdByName,
  expires,
}: StoredPlan): Preview {
  return { planId: id, version, seed: terms.seed, ...view, createdByName, expireTime: expires }
}

interface Sum {
  count: number
  amount: number
}

function viewOf(
  { cases, people, agencies, stagesWithout, maxDeviation }: Plan,
  excluded: Excluded,
): View {
  const gets = new Map<string, Sum>()
  const loses = new Map<string, Sum>()
  const shares = new Map<string, Sum>()
  const add = (sums: Map<string, Sum>, key: string, amount: number): void => {
    const { count, amount: sum } = sums.get(key) ?? { count: 0, amount: 0 }
    sums.set(key, { count: count + 1, amount: sum + amount })
  }
  for (const { to, collector_id: from, amount } of cases) {
    if (to !== null) add(shares, to.agencyId, amount)
    if (to?.collectorId === (from ?? undefined)) continue
    if (to !== null) add(gets, to.collectorId, amount)
    if (from !== null) add(loses, from, amount)
  }
  const placed = cases.filter(({ to }) => to !== null).length
  return {
    cases: cases.length,
    amount: cases.reduce((sum, { amount }) => sum + amount, 0),
    placed,
    maxDeviation,
    excluded: { ...excluded, noCapacity: cases.length - placed },
    stagesWithout,
    agencies: agencies.map(({ id, name, weight }) => ({
      agencyId: id,
      name,
      weight,
      gets: shares.get(id)?.count ?? 0,
      amount: shares.get(id)?.amount ?? 0,
    })),
    rows: people.map((person) =>
      lineOf(person, gets.get(person.collectorId), loses.get(person.collectorId)),
    ),
  }
}

const NOTHING: Sum = { count: 0, amount: 0 }

/** A line of the tree; without a plan the current state. */
export function lineOf(
  person: Candidate,
  gets: Sum = NOTHING,
  loses: Sum = NOTHING,
): Preview['rows'][number] {
  const { recovery: _recovery, agencyStatus: _status, nowByStage: _stages, ...line } = person
  return {
    ...line,
    gets: gets.count,
    after: person.now + gets.count - loses.count,
    amountAfter: person.nowAmount + gets.amount - loses.amount,
  }
}
