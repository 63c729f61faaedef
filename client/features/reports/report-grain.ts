/** Rows of a trend by day, week or month. */
import { listInput } from '#client/screen/list/list-input.ts'
import type { Dimension } from '#client/screen/report/report-types.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'

type Three<Row> = [Dimension<Row>, Dimension<Row>, Dimension<Row>]

export function byGrain<Row extends { day: string }>(): Three<Row> {
  return [
    { name: 'day', field: 'day', isDay: true },
    { name: 'week', field: 'day', grain: 'week', word: 'week' },
    { name: 'month', field: 'day', grain: 'month', word: 'month' },
  ]
}

/** The call names the choice by what it is: the grain. */
export function withGrain<E extends Endpoint>(
  endpoint: E,
  { groupBy, ...query }: Record<string, unknown>,
): InputOf<E> {
  return listInput(endpoint, { ...query, grain: groupBy })
}
