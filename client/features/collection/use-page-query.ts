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

const NOTHING = {}

/** @param given null when the filters cannot be asked: nothing is shown @param events types after which the page is read again; people who set up are few, so nothing is patched in place */
export function usePageQuery<E extends Endpoint, Row>(endpoint: E, given: InputOf<E> | null, events: readonly string[]): PageQuery<Row, DataOf<E>> {
  const isAskable = given !== null
  // nothing stands for a question that is never asked
  const input = (given ?? NOTHING) as InputOf<E>
  const answer = useQuery({ queryKey: queryKeyOf(endpoint, input), queryFn: ({ signal }) => call(endpoint, input, { quiet: true, signal }), placeholderData: keepPreviousData, enabled: isAskable })
  const { data, refetch } = answer
  const reread = () => {
    if (isAskable) void refetch()
  }
  useLive(events, reread)
  const query = useMemo<GridQuery<Row>>(() => {
    if (!isAskable) return { rows: [], total: 0, isFetching: false, error: null, refetch: () => undefined }
    const page = data as unknown as PageAnswer<Row> | undefined
    return { rows: page?.rows, total: page?.total ?? 0, totalCapped: page?.totalCapped, asOf: page?.asOf, isFetching: answer.isFetching, isPlaceholder: answer.isPlaceholderData, error: answer.error, refetch: () => refetch(), source: { endpoint, input } }
  }, [isAskable, data, answer.isFetching, answer.isPlaceholderData, answer.error, refetch, endpoint, input])
  return { query, data, refetch: reread }
}
