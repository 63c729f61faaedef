/** Figures are worked out by the server and read again each minute; what is shown meanwhile stays. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#client/session/call.ts'
import { queryKeyOf, queryOf } from '#client/session/query.ts'
import type { GridQuery } from '#client/ui/useLiveRows.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { collectionTree } from '#shared/collection/setup-api.ts'
import { useCaseViewer } from '../desk/use-case-viewer.ts'

const EVERY_MS = 60_000

export interface Figures<Data> {
  data: Data | undefined
  /** For a grid of some of its lines. */
  gridOf: <Row>(rows: readonly Row[] | undefined, total?: number) => GridQuery<Row>
}

/** @param input null = nothing is asked yet */
export function useFigures<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
): Figures<DataOf<E>> {
  const answer = useQuery({
    queryKey: queryKeyOf(endpoint, input ?? ({} as InputOf<E>)),
    queryFn: ({ signal }) => call(endpoint, input as InputOf<E>, { quiet: true, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
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

/** Units and people to choose from; nobody to choose for who sees only himself. */
export function useUnits() {
  const viewer = useCaseViewer()
  const tree = useQuery({
    ...queryOf(collectionTree, {}, { quiet: true }),
    staleTime: 60_000,
    enabled: viewer.scope !== 'own',
  })
  return { tree: tree.data, ownOnly: viewer.scope === 'own', viewer }
}
