/** What collection recovers of what it has, within the units of the viewer. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { type Grain, grainStart } from '#shared/kernel/grain.ts'
import { figuresOf, type Sums } from '#shared/reports/measures.ts'
import {
  PAID_BUCKETS,
  RECALL_MEASURES,
  type recallTrend as call,
} from '#shared/reports/recall-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import {
  checkDays,
  daysBefore,
  daysOf,
  type Key,
  type Period,
  type Range,
  type Source,
  freshnessOf,
  sumsOf,
  total,
} from './report-parts.ts'
import { UNITS } from './rollups/case-units.ts'
import { NOTHING, unitFilter } from './unit-filter.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>
type Row = Answer['rows'][number]

const NO_KEYS = { day: null, stageId: null, bucket: null } as const

/** @throws Problem G-FIELD for a range that is reversed or too long */
export async function recallTrend(
  db: Db,
  actor: StaffActor,
  { groupBy = 'week', stageId, agencyId, ...range }: Input,
): Promise<Answer> {
  checkDays(range)
  const unit = unitFilter(actor)
  const filters = { ...unit, stage_id: stageId, ...(agencyId && { agency_id: agencyId }) }
  // a unit the viewer does not lead has no rows for them
  const isForeign = agencyId !== undefined && (unit.agency_id ?? agencyId) !== agencyId
  const parts: Parts = {
    filters: isForeign ? { stage_id: NOTHING } : filters,
    level: levelOf(filters),
  }
  const read = groupBy === 'bucket' ? byBucket : groupBy === 'stage' ? byStage : byPeriod(groupBy)
  const [freshness, now, then] = await Promise.all([
    freshnessOf(db),
    read(db, range, parts),
    read(db, daysBefore(range), parts),
  ])
  const sum = figuresOf(RECALL_MEASURES, await now.sum())
  return { rows: now.rows, previous: then.rows, sum, ...freshness }
}

interface Parts {
  filters: Source['filters']
  /** Letter of what comes in: to collection, or to the unit that is looked at. */
  level: 'E' | 'A' | 'D' | 'G'
}

function levelOf(filters: Source['filters']): Parts['level'] {
  if (filters.group_id !== undefined) return 'G'
  if (filters.department_id !== undefined) return 'D'
  return filters.agency_id === undefined ? 'E' : 'A'
}

const STAGE: Key = () => sql`t.stage_id`

interface Read {
  rows: Row[]
  /** Of all rows together; what buckets do not contain is read for it. */
  sum(): Sums | Promise<Sums>
}

async function byStage(db: Db, range: Range, parts: Parts): Promise<Read> {
  const found = await findAll(db, range, parts, STAGE)
  const rows = stagesIn(found).map((stageId) => ({
    ...NO_KEYS,
    stageId,
    ...figuresOf(RECALL_MEASURES, joinOf(found, stageId)),
  }))
  return { rows, sum: () => sumOf(found, parts) }
}

/** A row per period and stage, so that the stages can be stacked. */
function byPeriod(grain: Grain) {
  return async (db: Db, range: Range, parts: Parts): Promise<Read> => {
    const key: Key = (day) =>
      sql`${grain === 'day' ? day : sql`date_trunc(${sql.lit(grain)}, ${day})::date`}::text || ' ' || t.stage_id`
    const found = await findAll(db, range, parts, key, startsOf(range, grain))
    const stages = [...new Set(stagesIn(found).map((one) => one.split(' ')[1] ?? ''))].toSorted(
      inOrder,
    )
    const rows = [...new Set(daysOf(range).map((day) => grainStart(day, grain)))].flatMap((day) =>
      stages.map((stageId) => ({
        ...NO_KEYS,
        day,
        stageId,
        ...figuresOf(RECALL_MEASURES, joinOf(found, `${day} ${stageId}`)),
      })),
    )
    return { rows, sum: () => sumOf(found, parts) }
  }
}

/** Overdue days at the payment; how much was held of them is not counted. */
async function byBucket(db: Db, range: Range, parts: Parts): Promise<Read> {
  const recovered = recoveredOf(parts.filters, 'bucket')
  const { groups } = await sumsOf(db, range, recovered, () => sql`t.bucket`)
  const rows = PAID_BUCKETS.map((bucket) => ({
    ...NO_KEYS,
    bucket,
    ...figuresOf(RECALL_MEASURES, groups.get(bucket) ?? {}),
    heldAmount: null,
    cameAmount: null,
  }))
  return { rows, sum: async () => sumOf(await findAll(db, range, parts, STAGE), parts) }
}

/** Recovered, held at the start, come in. */
type Found = readonly Period[]

/**
 * What was held counts at the start of each period only, and what moves between the stages comes in,
 * too; of all together it counts at the start of the range, and moves between stages do not.
 */
async function findAll(
  db: Db,
  range: Range,
  { filters, level }: Parts,
  key: Key,
  starts: readonly string[] = [range.dateFrom],
): Promise<Found> {
  return Promise.all([
    sumsOf(db, range, recoveredOf(filters, 'stage_id'), key),
    sumsOf(
      db,
      range,
      {
        table: 'report_held',
        day: 'day',
        sums: {
          heldAmount: total('amount'),
          heldFirst: total('amount', sql`t.day = ${range.dateFrom}::date`),
        },
        filters,
        where: sql`t.day = any(${[...starts]}::date[])`,
        summedFirst: { by: ['stage_id'], columns: ['amount'] },
      },
      key,
    ),
    sumsOf(
      db,
      range,
      {
        table: ofUnits(filters) ? 'report_came' : 'report_came_all',
        day: 'day',
        sums: {
          cameAmount: total('amount', sql`t.news ~ ${`[S${level}]`}`),
          cameNew: total('amount', sql`position(${level} in t.news) > 0`),
        },
        filters,
        summedFirst: { by: ['stage_id', 'news'], columns: ['amount'] },
      },
      key,
    ),
  ])
}

function sumOf(found: Found, { filters }: Parts): Sums {
  const all = Object.assign({}, ...found.map((one) => one.all)) as Sums
  const isOfStage = filters.stage_id !== undefined
  return withCollectable([
    {
      ...all,
      heldAmount: all.heldFirst ?? 0,
      cameAmount: (isOfStage ? all.cameAmount : all.cameNew) ?? 0,
    },
  ])
}

function startsOf(range: Range, grain: Grain): string[] {
  const first = new Map<string, string>()
  for (const day of daysOf(range)) {
    const start = grainStart(day, grain)
    if (!first.has(start)) first.set(start, day)
  }
  return [...first.values()]
}

function recoveredOf(filters: Source['filters'], by: 'stage_id' | 'bucket'): Source {
  return {
    table: ofUnits(filters) ? 'report_recovered' : 'report_recovered_all',
    day: 'day',
    sums: { bills: total('bills'), collectedAmount: total('recovered') },
    filters,
    summedFirst: { by: [by], columns: ['bills', 'recovered'] },
  }
}

/** Else the sums without units are the same. */
function ofUnits(filters: Source['filters']): boolean {
  return UNITS.some((unit) => filters[unit] !== undefined)
}

function joinOf(found: Found, key: string): Sums {
  return withCollectable(found.map(({ groups }) => groups.get(key) ?? {}))
}

function withCollectable(parts: readonly Sums[]): Sums {
  const sums = Object.assign({}, ...parts) as Sums
  return { ...sums, collectable: (sums.heldAmount ?? 0) + (sums.cameAmount ?? 0) }
}

function stagesIn(found: Found): string[] {
  return [...new Set(found.flatMap(({ groups }) => [...groups.keys()]))].toSorted(inOrder)
}

/** T before S before M, as an order grows old. */
function inOrder(a: string, b: string): number {
  const place = (stage: string) => 'TSM'.indexOf(stage.charAt(0))
  return place(a) - place(b) || a.localeCompare(b)
}
