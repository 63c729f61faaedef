/**
 * Reads and mutations through TanStack Query: cache keys, retries and idempotency keys of forms.
 */
import {
  type Query,
  QueryCache,
  QueryClient,
  useMutation,
  type UseMutationResult,
} from '@tanstack/react-query'
import { useState } from 'react'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { call, type CallOptions } from './call.ts'
import { isRefusal } from './call-error.ts'
import { uuid } from './ids.ts'

/**
 * TanStack ignores a request to read again that meets the first read of an answer, though the
 * server may have answered that one before the change. Here another read follows it.
 */
class AnswerCache extends QueryCache {
  override add(query: Query): void {
    const fetch = query.fetch.bind(query)
    query.fetch = async (options, how) => {
      const isFirst = query.state.data === undefined && query.state.fetchStatus === 'fetching'
      const read = fetch(options, how)
      if (!isFirst || how?.cancelRefetch !== true) return read
      await read.catch(() => undefined)
      return query.isActive() ? fetch(undefined, { cancelRefetch: false }) : read
    }
    super.add(query)
  }
}

/**
 * `call` itself retries what may be repeated, so queries never retry; mutations must not be queued
 * until the browser is online again.
 */
export const queryClient = new QueryClient({
  queryCache: new AnswerCache(),
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

/** Query key of an endpoint: `[path]` matches all its answers, `[path, input]` one. */
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
 * Options for `useQuery` of a record that events keep current while it is open. It is read again
 * each time it is opened: the events in between were not received, and a read may have been cut off when
 * it was left.
 */
export function recordQueryOf<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): ReturnType<typeof queryOf<E>> & { staleTime: number } {
  return { ...queryOf(endpoint, input, { quiet: true }), staleTime: 0 }
}

/** Sends one logical call; see `sender`. */
export type Send<E extends Endpoint> = (input: InputOf<E>) => Promise<DataOf<E>>

/**
 * Sends a mutation. When no answer came, sending the same input again reuses the idempotency key,
 * so the server executes it once; after an answer, or with other input, the key is new. That the
 * server could not be reached, or went away meanwhile, is reported by the edge and is no answer.
 */
function sender<E extends Endpoint>(endpoint: E, options: Pick<CallOptions, 'quiet'>): Send<E> {
  let unanswered: { input: string; key: string } | null = null
  return async (input) => {
    const text = JSON.stringify(input, spelledOut)
    const key = unanswered?.input === text ? unanswered.key : uuid()
    unanswered = { input: text, key }
    try {
      const data = await call(endpoint, input, { ...options, idempotencyKey: key })
      unanswered = null
      return data
    } catch (error) {
      if (isRefusal(error)) unanswered = null
      throw error
    }
  }
}

/** A sender of one endpoint, with the state of the call. */
export function useSend<E extends Endpoint>(
  endpoint: E,
  options: Pick<CallOptions, 'quiet'> = {},
): UseMutationResult<DataOf<E>, unknown, InputOf<E>> {
  const [send] = useState(() => sender(endpoint, options))
  return useMutation({ mutationFn: send })
}

/** Senders of whatever endpoints a screen comes to need, one each. */
export function useSends(): <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
) => Promise<DataOf<E>> {
  const [senders] = useState(() => new Map<Endpoint, Send<Endpoint>>())
  return (endpoint, input) => {
    const known = senders.get(endpoint) ?? sender(endpoint, {})
    senders.set(endpoint, known)
    // the sender kept under an endpoint answers its data
    return known(input)
  }
}

/** A file cannot be written as JSON: its name, size and time identify it. */
function spelledOut(_: string, value: unknown): unknown {
  return value instanceof File ? [value.name, value.size, value.lastModified] : value
}
