/** Claims: the row is marked at once; the response confirms it or names the faster colleague. */
import { useText } from '#client/base/use-text.ts'
import { useState } from 'react'
import { useBusyIds } from '#client/live/use-busy-ids.ts'
import { call } from '#client/session/call.ts'
import { CallError, messageOf, problemText } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryClient, queryKeyOf } from '#client/session/query.ts'
import { announce } from '#client/ui/feedback/announce.ts'
import { claimReviews, listReviews } from '#shared/review/review-api.ts'
import { trackClaims } from '../lease/lease-keeper.ts'
import type { ReviewRow } from '../review-types.ts'
import type { ReviewListNow } from './use-review-list.ts'

export interface Claims {
  busyIds: ReadonlySet<string>
  isClaimingNext: boolean
  claim: (row: ReviewRow) => Promise<void>
  claimMany: (reviewIds: readonly string[]) => Promise<void>
  claimNext: (count: number) => Promise<void>
}

export function useClaims({
  list,
  open,
  showMine,
}: {
  list: ReviewListNow
  open: (reviewId: string) => void
  showMine: () => void
}): Claims {
  const t = useText('review')
  const { busyIds, busyWhile } = useBusyIds()
  const [isClaimingNext, setClaimingNext] = useState(false)

  const send = (reviewIds: readonly string[]) => busyWhile(reviewIds, () => sendClaims(reviewIds))
  async function sendClaims(reviewIds: readonly string[]): Promise<ReviewRow[]> {
    try {
      const { ok, failed } = await call(
        claimReviews,
        { reviewIds: [...reviewIds] },
        { quiet: true },
      )
      onClaimed(ok)
      for (const { id, code, msg, problem, params } of failed) {
        refused(
          id,
          problem,
          problemText(problem ? { id: problem, params: params ?? {} } : null) ?? msg,
          code,
        )
      }
      return ok
    } catch (error) {
      for (const id of reviewIds)
        refused(
          id,
          error instanceof CallError ? error.problem?.id : undefined,
          messageOf(error),
          error instanceof CallError ? error.code : 0,
        )
      return []
    }
  }
  function onClaimed(rows: readonly ReviewRow[]): void {
    trackClaims(rows)
    for (const row of rows)
      list.live.push([
        { kind: 'leave', id: row.reviewId, version: row.version, reason: t('leave.claimedByYou') },
      ])
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(listReviews), refetchType: 'none' })
  }
  function refused(id: string, problem: string | undefined, text: string, code: number): void {
    if (problem === 'V-TAKEN' || problem === 'V-STATE' || problem === 'G404') {
      list.live.push([{ kind: 'leave', id, reason: text }])
      return announce(text)
    }
    void showMessage({
      intent: code === 400 ? 'warning' : 'danger',
      message: text,
      key: `claim:${text}`,
    })
    if (problem === 'V-MAX') showMine()
  }

  return {
    busyIds,
    isClaimingNext,
    async claim(row) {
      const [taken] = await send([row.reviewId])
      if (taken) open(taken.reviewId)
    },
    async claimMany(reviewIds) {
      const taken = await send(reviewIds)
      if (taken.length === 1 && taken[0]) open(taken[0].reviewId)
      else if (taken.length) showMine()
    },
    async claimNext(count) {
      if (isClaimingNext) return
      setClaimingNext(true)
      try {
        const { ok } = await call(claimReviews, { count })
        onClaimed(ok)
        if (ok.length === 1 && ok[0]) open(ok[0].reviewId)
        else showMine()
      } catch (error) {
        if (error instanceof CallError && error.problem?.id === 'V-MAX') showMine()
      } finally {
        setClaimingNext(false)
      }
    },
  }
}
