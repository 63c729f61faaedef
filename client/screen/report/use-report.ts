/** A declared report as it is shown: days, group, filters, and the answer, read again by events. */
import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { useListContext } from '#client/screen/list/use-list-context.ts'
import { call } from '#client/session/call.ts'
import { queryKeyOf, queryOf } from '#client/session/query.ts'
import type { FilterKinds } from '#client/ui/grid/grid-url.ts'
import { type GridUrlState, useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { type ReportRange, reportRange } from './report-range.ts'
import type { Dimension, ReportAnswer, ReportChange, ReportSpec } from './report-types.ts'

/** Changes are rare, and the report itself is read again by events. */
const CHANGES_STALE_MS = 60_000

interface ChangesAnswer {
  rows: readonly ReportChange[]
}

const NO_EVENTS: readonly string[] = []

export interface ShownReport<E extends Endpoint, Row extends object> {
  context: ListContext
  url: GridUrlState<FilterKinds>
  range: ReportRange
  /** What the rows of the answer are by. */
  by: Dimension<Row>
  /** What was chosen, of which the answer may still be under way. */
  chosenBy: Dimension<Row>
  input: Record<string, unknown>
  answer: ReportAnswer<Row> | undefined
  /** The same with what else the endpoint answers. */
  data: DataOf<E> | undefined
  error: unknown
  /** What happened in the days, as far as the person may know it. */
  changes: readonly ReportChange[]
  isFetching: boolean
  refetch: () => void
  /** One more choice in the address. */
  choose: (name: string, value: string) => void
  chosen: (name: string) => string
}

/** @param kinds of the filters, the range among them; a constant of the module */
export function useReport<E extends Endpoint, Row extends object>(
  spec: ReportSpec<E, Row>,
  kinds: FilterKinds,
): ShownReport<E, Row> {
  const [query, setQuery] = useSearchParams()
  const url = useGridUrlState(kinds)
  const context = useListContext([...spec.texts, 'chart'], url.filters, spec.reads)
  const { date, ...filters } = url.filters as { date?: { from?: string; to?: string } }
  const range = reportRange({ from: date?.from, to: date?.to }, istDay(uiNow()), spec.days)
  const chosenBy =
    spec.dimensions.find(({ name }) => name === query.get('by')) ?? spec.dimensions[0]
  const fields: Record<string, unknown> = {
    ...filters,
    dateFrom: range.dateFrom,
    dateTo: range.dateTo,
    ...(spec.dimensions.length > 1 ? { groupBy: chosenBy.name } : {}),
  }
  const input = spec.input?.(fields, context) ?? listInput(spec.endpoint, fields)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKeyOf(spec.endpoint, input),
    queryFn: ({ signal }) => call(spec.endpoint, input as InputOf<E>, { quiet: true, signal }),
    placeholderData: keepPreviousData,
    enabled: !range.isTooLong,
  })
  // until the new answer is there the former one is shown, whose rows have no other names
  const [shownBy, setShownBy] = useState(chosenBy)
  if (!isPlaceholderData && shownBy !== chosenBy) setShownBy(chosenBy)
  const by = isPlaceholderData ? shownBy : chosenBy
  const readsChanges =
    spec.changes !== undefined && context.seesAll && context.may(spec.changes) && !range.isTooLong
  const changes = useQuery({
    ...queryOf(
      spec.changes ?? spec.endpoint,
      { dateFrom: range.dateFrom, dateTo: range.dateTo },
      { quiet: true },
    ),
    staleTime: CHANGES_STALE_MS,
    enabled: readsChanges,
  })
  const again = useThrottled(() => void refetch())
  useLive(spec.refreshOn ?? NO_EVENTS, again)
  return {
    context,
    url,
    range,
    by,
    chosenBy,
    input,
    // the contract of a report answers rows of this type
    answer: range.isTooLong ? undefined : data,
    data,
    // the endpoint was declared as one that answers changes
    changes: readsChanges ? ((changes.data as ChangesAnswer | undefined)?.rows ?? []) : [],
    error,
    isFetching,
    refetch: () => void refetch(),
    choose: (name, value) =>
      setQuery((now) => {
        const next = new URLSearchParams(now)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      }),
    chosen: (name) => query.get(name) ?? '',
  }
}
