/** What all figures are asked for: a range of IST days, stages and units. Without a range the last thirty days. */
import { uiNow } from '#client/ui/clock.ts'
import type { FilterField } from '#client/ui/FilterBar.tsx'
import { FIGURE_DAYS } from '#shared/collection/figures-api.ts'
import type { collectionTree } from '#shared/collection/setup-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { addDays, daysBetween, istDay } from '#shared/kernel/time.ts'
import { STAGES } from '#client/ui/StatusTag.tsx'
import type { Say } from '../use-say.ts'

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

/** Both ends, at most FIGURE_DAYS: an open end is filled, a range too long keeps its last days. */
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

/** The flat parameters of a list as the calls of figures take them: several stages as one text, a whole range. */
export function figureInput(input: Record<string, unknown>): Record<string, unknown> & DayRange {
  const asked = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : value,
    ]),
  )
  return { ...asked, ...dayRange(input) }
}

type Tree = DataOf<typeof collectionTree>

export function rangeFields(t: Say): FilterField<'date' | 'stageId'>[] {
  return [
    { name: 'date', kind: 'day', label: t('figures.range'), place: 'bar' },
    {
      name: 'stageId',
      kind: 'many',
      label: t('desk.col.stageId'),
      place: 'bar',
      options: STAGES.map((stage) => ({ value: stage, label: stage })),
    },
  ]
}

/** Units of the reader; who sees only himself has none to choose. */
export function unitFields(
  t: Say,
  tree: Tree | undefined,
  ownOnly: boolean,
): FilterField<'agencyId' | 'departmentId' | 'groupId' | 'collectorId'>[] {
  if (ownOnly) return []
  return [
    ...((tree?.agencies.length ?? 0) > 1
      ? [
          {
            name: 'agencyId',
            kind: 'one',
            label: t('desk.col.agencyName'),
            options: (tree?.agencies ?? []).map(({ id, name }) => ({ value: id, label: name })),
          } as const,
        ]
      : []),
    {
      name: 'departmentId',
      kind: 'one',
      label: t('figures.col.department'),
      options: (tree?.departments ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: 'groupId',
      kind: 'one',
      label: t('desk.col.groupName'),
      options: (tree?.groups ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: 'collectorId',
      kind: 'one',
      label: t('desk.col.collectorName'),
      options: (tree?.collectors ?? []).map(({ userId, userName, account }) => ({
        value: userId,
        label: `${userName} (${account})`,
      })),
    },
  ]
}
