/** A list that is read on below: the same page, longer. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '#client/session/query.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Page } from '#shared/kernel/page.ts'

const SIZE = 20
/** No call gives more. */
const MOST = 200

interface Pages<Row> {
  /** Undefined until the first page is there. */
  rows: Row[] | undefined
  error: unknown
  hasMore: boolean
  isReading: boolean
  readMore: () => void
  readAgain: () => void
}

type RowOf<E extends Endpoint> = DataOf<E> extends { rows: (infer Row)[] } ? Row : never

export function usePages<E extends Endpoint>(
  endpoint: E,
  filters: Omit<InputOf<E>, 'pageNum' | 'pageSize'>,
  enabled: boolean,
): Pages<RowOf<E>> {
  const [size, setSize] = useState(SIZE)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...queryOf(endpoint, { ...filters, pageSize: size } as unknown as InputOf<E>, { quiet: true }),
    placeholderData: keepPreviousData,
    enabled,
  })
  const page = data as Page<RowOf<E>> | undefined
  return {
    rows: page?.rows,
    error,
    hasMore: page !== undefined && page.total > page.rows.length && page.rows.length < MOST,
    isReading: isPlaceholderData,
    readMore: () => setSize((now) => Math.min(MOST, now * 2)),
    readAgain: () => void refetch(),
  }
}
