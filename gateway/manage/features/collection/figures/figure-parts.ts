/** Common parts of all figures: scope, days, units. */
import { type RawBuilder, sql } from 'kysely'
import { FIGURE_DAYS } from '#shared/collection/figures-api.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { daysBetween } from '#shared/kernel/time.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'

/** Columns that store who a fact is credited to. */
export interface PlaceColumns {
  agency: string
  department: string
  group: string
  collector: string
  stage: string
}

export const BILL_PLACE: PlaceColumns = {
  agency: 'b.agency_id',
  department: 'b.department_id',
  group: 'b.group_id',
  collector: 'b.collector_id',
  stage: 'b.stage_id',
}

/** A fact stays with the unit that had the case then, so no agency reads another one's money. */
export function factsInScope(
  { userId, rights }: StaffActor,
  place: PlaceColumns,
): RawBuilder<boolean> {
  const is = (column: string, value: string | null) =>
    value === null ? sql<boolean>`false` : sql<boolean>`${sql.ref(column)} = ${value}`
  switch (rights.scope) {
    case 'all':
      return sql<boolean>`true`
    case 'agency':
      return is(place.agency, rights.agencyId)
    case 'department':
      return is(place.department, rights.departmentId)
    case 'group':
      return is(place.group, rights.groupId)
    case 'own':
      return is(place.collector, userId)
    case 'queue':
      return sql<boolean>`false`
  }
}

export interface UnitFilters {
  stageId?: string
  agencyId?: string
  departmentId?: string
  groupId?: string
  collectorId?: string
}

export function inUnits(
  place: PlaceColumns,
  { stageId, agencyId, departmentId, groupId, collectorId }: UnitFilters,
): RawBuilder<boolean> {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? [] : [sql<boolean>`${sql.ref(column)} = ${value}`]
  const all = [
    ...is(place.agency, agencyId),
    ...is(place.department, departmentId),
    ...is(place.group, groupId),
    ...is(place.collector, collectorId),
    ...(stageId === undefined
      ? []
      : [sql<boolean>`${sql.ref(place.stage)} = any(${stageId.split(',')}::text[])`]),
  ]
  return all.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(all, sql` and `)}`
}

export interface Range {
  dateFrom: string
  dateTo: string
}

/**
 * From the start of the first IST day to the end of the last.
 * @throws Problem G-FIELD when the days are reversed or too many
 */
export function inRange(column: string, { dateFrom, dateTo }: Range): RawBuilder<boolean> {
  return onDays(column, { from: dateFrom, to: dateTo })
}

/** @throws Problem G-FIELD when the days are reversed or more than FIGURE_DAYS */
export function checkRange({ dateFrom, dateTo }: Range): void {
  const days = daysBetween(dateFrom, dateTo)
  if (days < 0) throw new Problem(INVALID_FIELDS, {}, { fields: { dateTo: 'beforeFrom' } })
  if (days >= FIGURE_DAYS) throw new Problem(INVALID_FIELDS, {}, { fields: { dateTo: 'tooLong' } })
}

/** Basis points, rounded half up; null for 0 of 0. */
export function rateOf(part: number, whole: number): number | null {
  return whole > 0 ? Number((BigInt(part) * 20_000n + BigInt(whole)) / (2n * BigInt(whole))) : null
}
