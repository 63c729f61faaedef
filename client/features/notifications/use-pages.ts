/** A list that grows: the first page, requested with a larger size. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '#client/session/query.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Page } from '#shared/kernel/page.ts'

const SIZE = 20
/** The largest page size of the calls. */
const MOST = 200

interface Pages<Row> {
  /** Undefined until the first page is loaded. */
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
    // filters and page size are the whole input, which a generic endpoint cannot prove
    ...queryOf(endpoint, { ...filters, pageSize: size } as InputOf<E>, { quiet: true }),
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
