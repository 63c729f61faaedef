/** Photos of a customer: fetched with the token like every call, shown from memory, so that no address of a photo works alone. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { TIMEOUT_MS, urlOf } from '#client/session/call.ts'
import { CallError } from '#client/session/call-error.ts'
import { CLIENT_ID } from '#client/session/ids.ts'
import { readToken } from '#client/session/token.ts'
import { customerPhoto } from '#shared/customers/customers-api.ts'
import type { Envelope } from '#shared/kernel/problem.ts'

export interface Photo {
  url: string | null
  isLoading: boolean
  error: unknown
  retry: () => void
}

/** Each photo is fetched once a visit: every opening is logged. */
export function usePhoto(photoId: string | null): Photo {
  const { data, isFetching, error, refetch } = useQuery({
    queryKey: [customerPhoto.path, photoId],
    queryFn: ({ signal }) => fetchPhoto(photoId as string, signal),
    enabled: photoId !== null,
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
  return { url, isLoading: isFetching && !data, error: isFetching ? null : error, retry: () => void refetch() }
}

async function fetchPhoto(photoId: string, signal: AbortSignal): Promise<Blob> {
  const token = readToken()
  const response = await fetch(urlOf(customerPhoto, { photoId }).url, {
    headers: { ...(token ? { Authorization: token } : {}), 'Accept-Language': document.documentElement.lang, 'X-Client-Id': CLIENT_ID },
    credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new CallError('network')
  })
  const type = response.headers.get('Content-Type') ?? ''
  if (response.ok && type.startsWith('image/')) return response.blob()
  // A refusal comes as an envelope, whatever was asked for.
  const envelope = type.includes('json') ? ((await response.json()) as Envelope<unknown>) : null
  throw envelope ? new CallError('refused', { code: envelope.code, msg: envelope.msg, problem: envelope.problem ?? null }) : new CallError('http')
}
