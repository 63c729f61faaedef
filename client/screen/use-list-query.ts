/**
 * The list call in the form its grid expects: the rows of one page, and those of the previous page
 * while the next one loads.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { call } from '#client/session/call.ts'
import { queryKeyOf } from '#client/session/query.ts'
import type { GridQuery } from '#client/ui/grid/use-live-rows.ts'
import { type DataOf, type Endpoint, type InputOf, namesNoId } from '#shared/kernel/endpoint.ts'

interface PageAnswer<Row> {
  rows: Row[]
  total: number
  totalCapped?: boolean
  asOf: string
}

export interface ListQuery<Row, Data> {
  query: GridQuery<Row>
  data: Data | undefined
  /** The data belong to the previous view. */
  isPlaceholder: boolean
  refetch: () => void
  /** Reads after a change of the person's own: it is shown even while the rows may not move. */
  show: () => void
}

const NOTHING = {}

/**
 * @param given null when the filters are invalid; then, and when an id filter holds no id, no call
 * is made and no row is shown
 */
export function useListQuery<E extends Endpoint, Row>(
  endpoint: E,
  given: InputOf<E> | null,
  refetchInterval: number | false = false,
): ListQuery<Row, DataOf<E>> {
  const hasNoId = given !== null && namesNoId(endpoint, given)
  const canRead = given !== null && !hasNoId
  // A placeholder key for a query that never runs.
  const input = (given ?? NOTHING) as InputOf<E>
  const {
    data,
    error,
    isFetching,
    isPlaceholderData,
    refetch: fetchAgain,
  } = useQuery({
    queryKey: queryKeyOf(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { quiet: true, signal }),
    placeholderData: keepPreviousData,
    enabled: canRead,
    refetchInterval,
  })
  const refetch = useCallback(() => {
    if (canRead) void fetchAgain()
  }, [canRead, fetchAgain])
  const [refetches, setRefetches] = useState(0)
  const show = useCallback(() => {
    setRefetches((n) => n + 1)
    refetch()
  }, [refetch])
  const query = useMemo<GridQuery<Row>>(() => {
    if (!canRead) return { rows: [], total: 0, isFetching: false, error: null, refetch, hasNoId }
    // the answer of a list is a page of its rows
    const page = data as PageAnswer<Row> | undefined
    return {
      rows: page?.rows,
      total: page?.total ?? 0,
      totalCapped: page?.totalCapped,
      asOf: page?.asOf,
      isFetching,
      refetches,
      isPlaceholder: isPlaceholderData,
      error,
      refetch,
      source: { endpoint, input },
    }
  }, [
    canRead,
    hasNoId,
    data,
    isFetching,
    refetches,
    isPlaceholderData,
    error,
    refetch,
    endpoint,
    input,
  ])
  return {
    query,
    data: canRead ? data : undefined,
    isPlaceholder: isPlaceholderData,
    refetch,
    show,
  }
}

/** The same for a short list: every event reads it again, and no row is patched in place. */
export function usePageQuery<E extends Endpoint, Row>(
  endpoint: E,
  given: InputOf<E> | null,
  events: readonly string[],
  refetchInterval: number | false = false,
): ListQuery<Row, DataOf<E>> {
  const list = useListQuery<E, Row>(endpoint, given, refetchInterval)
  useLive(events, useThrottled(list.refetch))
  return list
}
