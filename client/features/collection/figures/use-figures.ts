/** Figures from the server, read again each minute; the old ones stay visible meanwhile. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#client/session/call.ts'
import { queryKeyOf, queryOf } from '#client/session/query.ts'
import type { GridQuery } from '#client/ui/grid/use-live-rows.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { collectionTree } from '#shared/collection/setup-api.ts'
import { useCaseViewer } from '../desk/use-case-viewer.ts'

export const FIGURES_MS = 60_000

export interface Figures<Data> {
  data: Data | undefined
  /** For a grid of some of the lines. */
  gridOf: <Row>(rows: readonly Row[] | undefined, total?: number) => GridQuery<Row>
}

/** @param input null = no request yet */
export function useFigures<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
): Figures<DataOf<E>> {
  const answer = useQuery({
    queryKey: queryKeyOf(endpoint, input ?? ({} as InputOf<E>)),
    queryFn: ({ signal }) => call(endpoint, input as InputOf<E>, { quiet: true, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: FIGURES_MS,
    enabled: input !== null,
  })
  const { data, isFetching, isPlaceholderData, error, refetch } = answer
  return useMemo(
    () => ({
      data,
      gridOf: (rows, total) => ({
        rows: rows === undefined ? undefined : [...rows],
        total: total ?? rows?.length ?? 0,
        asOf: (data as { asOf?: string } | undefined)?.asOf,
        isFetching,
        isPlaceholder: isPlaceholderData,
        error,
        refetch: () => refetch(),
        ...(input === null ? {} : { source: { endpoint, input } }),
      }),
    }),
    [data, isFetching, isPlaceholderData, error, refetch, endpoint, input],
  )
}

/** Units and people to choose from; empty for a viewer of scope own. */
export function useUnits() {
  const viewer = useCaseViewer()
  const tree = useQuery({
    ...queryOf(collectionTree, {}, { quiet: true }),
    staleTime: 60_000,
    enabled: viewer.scope !== 'own',
  })
  return { tree: tree.data, ownOnly: viewer.scope === 'own', viewer }
}
