/** Reads and sends through TanStack Query: one place for cache keys, retries and the idempotency key of a form. */
import { QueryClient, useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { call, type CallOptions } from './call.ts'
import { CallError } from './call-error.ts'
import { uuid } from './ids.ts'

/** `call` repeats what may be repeated, so queries never do; mutations must not wait in a queue for the line to come back. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 5_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      networkMode: 'online',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Key of an endpoint's answers: `[path]` names all of them, `[path, input]` one. */
export function queryKeyOf<E extends Endpoint>(
  endpoint: E,
  input?: InputOf<E>,
): readonly unknown[] {
  return input === undefined ? [endpoint.path] : [endpoint.path, input]
}

/** Options for `useQuery`. */
export function queryOf<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: Pick<CallOptions, 'quiet'> = {},
): {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<DataOf<E>>
} {
  return {
    queryKey: queryKeyOf(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { ...options, signal }),
  }
}

/**
 * Sends a mutation. When no answer came, pressing again with the same input repeats the same logical call, so the server
 * does it once; after an answer, or with other input, it is a new one.
 */
export function useSend<E extends Endpoint>(
  endpoint: E,
  options: Pick<CallOptions, 'quiet'> = {},
): UseMutationResult<DataOf<E>, unknown, InputOf<E>> {
  const unanswered = useRef<{ input: string; key: string } | null>(null)
  return useMutation({
    mutationFn: async (input: InputOf<E>) => {
      const text = JSON.stringify(input, spelledOut)
      const key = unanswered.current?.input === text ? unanswered.current.key : uuid()
      unanswered.current = { input: text, key }
      try {
        const data = await call(endpoint, input, { ...options, idempotencyKey: key })
        unanswered.current = null
        return data
      } catch (error) {
        if (error instanceof CallError && error.kind === 'refused') unanswered.current = null
        throw error
      }
    },
  })
}

/** A file has nothing to write in JSON: its name, size and time tell it from another. */
function spelledOut(_: string, value: unknown): unknown {
  return value instanceof File ? [value.name, value.size, value.lastModified] : value
}
