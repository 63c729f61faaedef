/** Takes a step of the home page: some are claimed first, then what was claimed opens. */
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { call } from '#client/session/call.ts'
import type { workDay } from '#shared/home/day-api.ts'
import type { NextKey } from '#shared/home/day-sets.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { claimReviews } from '#shared/review/review-api.ts'
import { claimTask } from '#shared/telemarketing/tele-api.ts'
import { SEGMENTS } from '#shared/telemarketing/tele-sets.ts'
import { QUEUE_MENU } from '#shared/tickets/ticket-sets.ts'
import { claimNextTicket } from '#shared/tickets/tickets-api.ts'
import { reviewPath } from '#shared/review/review-path.ts'
import { replyPath } from '#shared/tickets/ticket-path.ts'

export type Step = DataOf<typeof workDay>['next'][number]

/** What is claimed, and the address that shows it. */
const CLAIMS: Partial<Record<NextKey, (step: Step) => Promise<string>>> = {
  async review({ target }) {
    const { ok } = await call(claimReviews, { count: 1 })
    const [taken] = ok
    return taken === undefined ? target : reviewPath(taken.reviewId)
  },
  async ticket() {
    const { feedbackId, queue } = await call(claimNextTicket, {})
    return replyPath(feedbackId, QUEUE_MENU[queue])
  },
  async teleNext({ part, target }) {
    const segment = SEGMENTS.find((one) => one === part)
    if (segment === undefined) return target
    const { taskId } = await call(claimTask, { segment })
    return `${target}?open=${encodeURIComponent(taskId)}`
  },
}

/** A claim needs the connection; a link does not. */
export function claimsAtOnce({ key }: Step): boolean {
  return CLAIMS[key] !== undefined
}

/** @param onDone the day has changed: something was claimed, or somebody was faster */
export function useNextStep(onDone: () => void): (step: Step) => Promise<void> {
  const [, navigate] = useLocation()
  const isTaking = useRef(false)
  return async (step) => {
    const claim = CLAIMS[step.key]
    if (claim === undefined) return navigate(step.target)
    if (isTaking.current) return
    isTaking.current = true
    try {
      navigate(await claim(step))
    } catch {
      // the call has shown why; the counts were out of date
    } finally {
      isTaking.current = false
      onDone()
    }
  }
}
