import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryOf } from '#client/session/query.ts'
import { deskFigures } from '#shared/collection/cases-api.ts'
import { CASE_EVENTS } from './case-apply.ts'
import type { DeskFigures } from './case-types.ts'

/** The figures of the day, read again each minute because what is due changes with the clock. */
export function useDeskFigures(): { data: DeskFigures | undefined } {
  const { data, refetch } = useQuery({
    ...queryOf(deskFigures, {}, { quiet: true }),
    refetchInterval: 60_000,
  })
  const reread = useThrottled(useCallback(() => void refetch(), [refetch]))
  useLive(CASE_EVENTS, reread)
  return { data }
}
