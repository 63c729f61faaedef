import { CallTimeout, NotReached } from '#gateway/kernel/outbound-call.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type CallOutcome, noteCall } from './breaker.ts'

/**
 * Makes a call to a configuration and counts it.
 * @param judge what an answer means
 * @throws what the call throws
 */
export async function watchedCall<Answer>(
  context: AppContext,
  cfgId: string,
  call: () => Promise<Answer>,
  judge: (answer: Answer) => Pick<CallOutcome, 'outcome' | 'error'>,
): Promise<Answer> {
  const begun = performance.now()
  const note = (result: Pick<CallOutcome, 'outcome' | 'error'>): Promise<void> =>
    noteCall(context, { cfgId, ms: Math.round(performance.now() - begun), ...result }).catch(
      (error: unknown) =>
        // the answer counts more than its count
        context.log.error({ err: error, cfgId }, 'a call to a third party could not be counted'),
    )
  try {
    const answer = await call()
    await note(judge(answer))
    return answer
  } catch (error) {
    await note(failureOf(error))
    throw error
  }
}

/** A code for the screen; what a vendor wrote may hold somebody's data and is not kept. */
function failureOf(error: unknown): Pick<CallOutcome, 'outcome' | 'error'> {
  if (error instanceof CallTimeout) return { outcome: 'timeout', error: 'timeout' }
  if (error instanceof NotReached) return { outcome: 'failed', error: error.code }
  const status = /answered ([45]\d\d)$/.exec(error instanceof Error ? error.message : '')?.[1]
  return { outcome: 'failed', error: status === undefined ? 'answer' : `http${status}` }
}
