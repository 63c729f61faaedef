/** Figures beside a list, read again each minute; the old ones stay visible meanwhile. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#client/session/call.ts'
import { queryKeyOf } from '#client/session/query.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'

export const FIGURES_MS = 60_000

/** @param input null = no request yet */
export function useFigures<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
): { data: DataOf<E> | undefined } {
  const { data } = useQuery({
    queryKey: queryKeyOf(endpoint, input ?? ({} as InputOf<E>)),
    queryFn: ({ signal }) => call(endpoint, input as InputOf<E>, { quiet: true, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: FIGURES_MS,
    enabled: input !== null,
  })
  return { data }
}
