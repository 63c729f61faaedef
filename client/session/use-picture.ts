/**
 * The picture of a call, fetched with the token and shown from memory. Each view is logged, so a
 * picture is fetched once per visit.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { fetchFile } from './file.ts'

export interface Picture {
  url: string | null
  isLoading: boolean
  error: unknown
  retry: () => void
}

/** @param input null = not requested yet */
export function usePicture<E extends Endpoint>(endpoint: E, input: InputOf<E> | null): Picture {
  const { data, isFetching, error, refetch } = useQuery({
    queryKey: [endpoint.path, input],
    queryFn: async ({ signal }) => (await fetchFile(endpoint, input as InputOf<E>, signal)).blob,
    enabled: input !== null,
    staleTime: Infinity,
    gcTime: 60_000,
  })
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!data) return setUrl(null)
    const made = URL.createObjectURL(data)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return {
    url,
    isLoading: isFetching && !data,
    error: isFetching ? null : error,
    retry: () => void refetch(),
  }
}
