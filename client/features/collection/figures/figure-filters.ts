/** Input of all figures: a range of IST days, stages and units. The default is thirty days. */
import { type ListFilter, named, people, reads } from '#client/screen/list/list-filters.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { FIGURE_DAYS } from '#shared/collection/figures-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { addDays, daysBetween, istDay } from '#shared/kernel/time.ts'
import { STAGES } from '#client/ui/value/StatusTag.tsx'

const BY_DEFAULT = 30

export const FIGURE_FILTERS = {
  date: 'day',
  stageId: 'many',
  agencyId: 'one',
  departmentId: 'one',
  groupId: 'one',
  collectorId: 'one',
} as const

export interface DayRange {
  dateFrom: string
  dateTo: string
}

/** Both ends, at most FIGURE_DAYS: an open end is filled, a longer range keeps its last days. */
export function dayRange(
  given: { dateFrom?: unknown; dateTo?: unknown },
  now: number = uiNow(),
): DayRange {
  const today = istDay(now)
  const dateTo =
    typeof given.dateTo === 'string'
      ? given.dateTo
      : typeof given.dateFrom === 'string' && given.dateFrom > today
        ? given.dateFrom
        : today
  const dateFrom =
    typeof given.dateFrom === 'string' ? given.dateFrom : addDays(dateTo, 1 - BY_DEFAULT)
  if (dateFrom > dateTo) return { dateFrom: dateTo, dateTo }
  return {
    dateFrom:
      daysBetween(dateFrom, dateTo) < FIGURE_DAYS ? dateFrom : addDays(dateTo, 1 - FIGURE_DAYS),
    dateTo,
  }
}

/** The range in the address of the list. */
export function chosenRange({ filters }: ListContext): DayRange {
  const { date } = filters(FIGURE_FILTERS)
  return dayRange({ dateFrom: date?.from, dateTo: date?.to })
}

export const RANGE_FIELDS = {
  date: { kind: 'day', label: 'figures.range', place: 'bar' },
  stageId: {
    kind: 'many',
    label: 'desk.col.stageId',
    place: 'bar',
    options: () => STAGES.map((stage) => ({ value: stage, label: stage })),
  },
} as const satisfies Record<string, ListFilter>

// a viewer of scope own has no units to choose from
const seesUnits = ({ user }: ListContext) => user.scope.kind !== 'own'

/** Units of the viewer. */
export const UNIT_FIELDS = {
  agencyId: {
    kind: 'one',
    label: 'desk.col.agencyName',
    options: ({ read }) => named(read(collectionTree)?.agencies),
    when: (context) =>
      seesUnits(context) && (context.read(collectionTree)?.agencies.length ?? 0) > 1,
  },
  departmentId: {
    kind: 'one',
    label: 'figures.col.department',
    options: ({ read }) => named(read(collectionTree)?.departments),
    when: seesUnits,
  },
  groupId: {
    kind: 'one',
    label: 'desk.col.groupName',
    options: ({ read }) => named(read(collectionTree)?.groups),
    when: seesUnits,
  },
  collectorId: {
    kind: 'one',
    label: 'desk.col.collectorName',
    options: ({ read }) => people(read(collectionTree)?.collectors),
    when: seesUnits,
  },
} as const satisfies Record<string, ListFilter>

/** What stays in the address from one list of a page to the next. */
export const KEPT_FIELDS = ['dateFrom', 'dateTo', ...Object.keys(FIGURE_FILTERS)]

/** The tree of units, for who may choose among them. */
export const UNITS = reads(collectionTree, {}, ({ scope }) => scope.kind !== 'own')
