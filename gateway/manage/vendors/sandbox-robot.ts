/**
 * A calling robot inside the product, for pilots, demos and tests. It takes a call, and some seconds
 * later reports its end by the signed /inbound/aiCall: some results are sent twice, some never, so that
 * they must be asked for. The outcome of a call follows from its id alone: after a restart `query`
 * gives the same answer.
 */
import type { FastifyInstance } from 'fastify'
import { inboundAiCall } from '#shared/ai-calls/ai-calls-api.ts'
import type { AiResult } from '#shared/ai-calls/ai-call-sets.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { AiCallOrder, AiCallResult, AiCallVendor } from './ai-call-vendor.ts'
import { between, diceOf, fateIn, vendorNumberOf } from './sandbox-fate.ts'
import { SandboxReporter } from './sandbox-reporter.ts'

export interface RobotSettings {
  /** Its vendor code; `sandbox` when left out. */
  code?: string
  /** Shortest and longest time until a call has ended. */
  delayMs?: readonly [number, number]
  /** Whole percent of ends that are reported twice, and that are never reported. */
  duplicatePercent?: number
  lostPercent?: number
}

/** Shares of a hundred calls, as a pilot's floor has them. */
const FATES: readonly (readonly [AiResult, number])[] = [
  ['a', 24],
  ['b', 10],
  ['c', 4],
  ['d', 3],
  ['e', 12],
  ['f', 28],
  ['g', 16],
  ['h', 3],
]

const SAID: Record<AiResult, string> = {
  a: 'Yes, I will pay on the day I named.',
  b: 'I will not pay this.',
  c: 'I have paid already.',
  d: 'This loan is not mine.',
  e: 'I am busy now, somebody may call me later.',
  f: '',
  g: '',
  h: 'I lost my job and need help with this loan.',
}

export function sandboxRobot(
  {
    code = 'sandbox',
    delayMs = [3_000, 15_000],
    duplicatePercent = 5,
    lostPercent = 2,
  }: RobotSettings,
  context: AppContext,
  app: FastifyInstance,
): AiCallVendor {
  const waiting = new Map<string, { timer: NodeJS.Timeout; order: AiCallOrder }>()
  /** Amounts of calls taken by this process; a promise after a restart names no amount. */
  const orders = new Map<string, AiCallOrder>()
  const reporter = new SandboxReporter(context, app, {
    kind: 'aiCall',
    scope: 'aiCall',
    vendorCode: code,
    path: inboundAiCall.path,
  })

  function reportResult(callId: string): void {
    clearTimeout(waiting.get(callId)?.timer)
    waiting.delete(callId)
    if (diceOf(callId, 'lost') < lostPercent) return
    reporter.report({ callId }, () => sendResult(callId))
  }
  async function sendResult(callId: string): Promise<void> {
    const body = JSON.stringify(endOf(callId, orders.get(callId)))
    await reporter.call(body, `end-${callId}`)
    if (diceOf(callId, 'duplicate') < duplicatePercent) await reporter.call(body, `again-${callId}`)
    orders.delete(callId)
  }
  return {
    code,
    async start(order) {
      const { callId } = order
      if (!waiting.has(callId)) {
        const delay = between(delayMs, diceOf(callId, 'delay'))
        orders.set(callId, order)
        waiting.set(callId, { order, timer: setTimeout(() => reportResult(callId), delay) })
      }
      return { accepted: true, vendorCallId: vendorCallIdOf(callId) }
    },
    async query(callId) {
      if (waiting.has(callId)) return { state: 'calling', vendorCallId: vendorCallIdOf(callId) }
      return { state: 'ended', result: endOf(callId, orders.get(callId)) }
    },
    /** Ends all calls at once and sends the reports. */
    async settle() {
      while (waiting.size > 0 || reporter.isReporting) {
        for (const callId of waiting.keys()) reportResult(callId)
        await reporter.ended()
      }
    },
    async close() {
      for (const { timer } of waiting.values()) clearTimeout(timer)
      waiting.clear()
      await reporter.ended()
    },
  }
}

export const fateOf = (callId: string): AiResult => fateIn(FATES, callId)

function endOf(callId: string, order: AiCallOrder | undefined): AiCallResult {
  const result = fateOf(callId)
  if (result === 'f') return { callId, result, durationSec: 0 }
  const durationSec = result === 'g' ? 6 : 30 + diceOf(callId, 'duration')
  const hello = { by: 'robot' as const, text: 'This is a call about your loan.' }
  if (result === 'g') return { callId, result, durationSec, transcript: [hello] }
  const promises = result === 'a' && order !== undefined
  return {
    callId,
    result,
    durationSec,
    ...(promises && {
      promiseDay: addDays(istDay(new Date()), 1 + (diceOf(callId, 'day') % 3)),
      promiseAmount: order.script.amount,
    }),
    transcript: [hello, { by: 'borrower', text: SAID[result] }],
  }
}

const vendorCallIdOf = (callId: string) => vendorNumberOf('SBX', callId)
