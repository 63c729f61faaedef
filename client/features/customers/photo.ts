/** Photos of a customer: fetched with the token like every call, shown from memory, so that no address of a photo works alone. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fetchFile } from '#client/session/file.ts'
import { customerPhoto } from '#shared/customers/customers-api.ts'

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
    queryFn: async ({ signal }) => (await fetchFile(customerPhoto, { photoId: photoId as string }, signal)).blob,
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
