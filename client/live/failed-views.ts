/**
 * Views that failed because nobody answered load themselves when the line is back. One small call
 * asks whether somebody answers, so that a page with many views does not fail as often.
 */
import type { Query } from '@tanstack/react-query'
import { call } from '#client/session/call.ts'
import { isUnanswered } from '#client/session/call-error.ts'
import { nextTry } from '#client/base/next-try.ts'
import { queryClient } from '#client/session/query.ts'
import { serverTime } from '#shared/session/session-api.ts'

/** @returns ends the watching */
export function watchFailedViews(): () => void {
  let stopped = false
  let trying = false

  async function tryAgain(): Promise<void> {
    if (trying) return
    trying = true
    for (let attempt = 0; !stopped && hasFailed(); attempt += 1) {
      await nextTry(attempt)
      if (stopped || !(await isAnswered())) continue
      await queryClient.refetchQueries({ type: 'active', predicate: isFailed })
    }
    trying = false
  }

  const off = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error' && isFailed(event.query))
      void tryAgain()
  })
  return () => {
    stopped = true
    off()
  }
}

function hasFailed(): boolean {
  return queryClient.getQueryCache().findAll({ type: 'active', predicate: isFailed }).length > 0
}

function isFailed({ state }: Query): boolean {
  return state.status === 'error' && isUnanswered(state.error)
}

function isAnswered(): Promise<boolean> {
  return call(serverTime, {}, { quiet: true }).then(
    () => true,
    (error: unknown) => !isUnanswered(error),
  )
}
