/** A list of set-up: read whole pages, read again when an event says that something in it changed. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { call } from '#client/session/call.ts'
import { queryKeyOf } from '#client/session/query.ts'
import type { GridQuery } from '#client/ui/useLiveRows.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'

interface PageAnswer<Row> {
  rows: Row[]
  total: number
  totalCapped?: boolean
  asOf: string
}

export interface PageQuery<Row, Data> {
  query: GridQuery<Row>
  data: Data | undefined
  refetch: () => void
}

/** @param events types after which the page is read again; people who set up are few, so nothing is patched in place */
export function usePageQuery<E extends Endpoint, Row>(endpoint: E, input: InputOf<E>, events: readonly string[]): PageQuery<Row, DataOf<E>> {
  const answer = useQuery({ queryKey: queryKeyOf(endpoint, input), queryFn: ({ signal }) => call(endpoint, input, { quiet: true, signal }), placeholderData: keepPreviousData })
  const { data, refetch } = answer
  useLive(events, () => void refetch())
  const query = useMemo<GridQuery<Row>>(() => {
    const page = data as unknown as PageAnswer<Row> | undefined
    return { rows: page?.rows, total: page?.total ?? 0, totalCapped: page?.totalCapped, asOf: page?.asOf, isFetching: answer.isFetching, isPlaceholder: answer.isPlaceholderData, error: answer.error, refetch: () => refetch(), source: { endpoint, input } }
  }, [data, answer.isFetching, answer.isPlaceholderData, answer.error, refetch, endpoint, input])
  return { query, data, refetch: () => void refetch() }
}
