/** Searches people and records once typing pauses. The text is sent in the body of the call. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryOf } from '#client/session/query.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { searchRecords } from '#shared/search/search-api.ts'

const ASK_AFTER_MS = 200
const SHORTEST = 3

export interface RecordSearch {
  /** Of the text as it is now; undefined while it is read. */
  found: DataOf<typeof searchRecords> | undefined
  isShort: boolean
  hasFailed: boolean
}

export function useRecordSearch(text: string): RecordSearch {
  const wanted = text.trim()
  const [searched, setSearched] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearched(wanted), ASK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  const { data, isError } = useQuery({
    ...queryOf(searchRecords, { text: searched }, { quiet: true }),
    enabled: searched.length >= SHORTEST,
    // a phone stays in memory no longer than the answer is looked at
    gcTime: 0,
  })
  const isAnswered = searched === wanted
  return {
    found: isAnswered ? data : undefined,
    isShort: wanted.length > 0 && wanted.length < SHORTEST,
    hasFailed: isAnswered && isError,
  }
}
