/**
 * An exchange inside the product, for pilots, demos and tests; no telephone rings. It takes a call
 * and reports by the signed /inbound/callRecord that it rings, is answered and ends: some reports come
 * twice, some never, so that they must be asked for. The outcome of a call follows from its id
 * alone: after a restart `query` gives its end.
 */
import type { FastifyInstance } from 'fastify'
import type { REPORTED_CAUSES } from '#shared/voice-calls/voice-call-sets.ts'
import { inboundCallRecord } from '#shared/voice-calls/voice-calls-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { VoiceReport, VoiceVendor } from './voice-vendor.ts'
import { between, diceOf, fateIn, vendorNumberOf } from './sandbox-fate.ts'
import { SandboxReporter } from './sandbox-reporter.ts'

export interface SandboxVoiceSettings {
  code: string
  /** Shortest and longest time until it rings, from there until it is answered, and of the talk. */
  ringMs?: readonly [number, number]
  answerMs?: readonly [number, number]
  talkMs?: readonly [number, number]
  /** Whole percent of reports that are sent twice, and of ends that are never reported. */
  duplicatePercent?: number
  lostPercent?: number
}

type Cause = (typeof REPORTED_CAUSES)[number]

/** Shares of a hundred calls, as a collection floor has them. */
const FATES: readonly (readonly [Cause, number])[] = [
  ['completed', 58],
  ['noAnswer', 20],
  ['busy', 12],
  ['switchedOff', 6],
  ['extensionNoAnswer', 4],
]

export function sandboxVoiceVendor(
  {
    code,
    ringMs = [800, 2_000],
    answerMs = [3_000, 8_000],
    talkMs = [20_000, 90_000],
    duplicatePercent = 10,
    lostPercent = 3,
  }: SandboxVoiceSettings,
  context: AppContext,
  app: FastifyInstance,
): VoiceVendor {
  /** The reports of a call that are still to come, the next one first. */
  const waiting = new Map<string, { timer: NodeJS.Timeout; left: Step[] }>()
  const reporter = new SandboxReporter(context, app, {
    kind: 'voice',
    scope: 'callRecord',
    vendorCode: code,
    path: inboundCallRecord.path,
  })

  interface Step {
    afterMs: number
    report: VoiceReport
  }
  function stepsOf(callId: string): Step[] {
    const { endCause, ...ended } = endOf(callId)
    const ringing = {
      afterMs: between(ringMs, diceOf(callId, 'ring')),
      report: { callId, state: 'ringing' as const },
    }
    const answerAfter = between(answerMs, diceOf(callId, 'answer'))
    const end = { callId, state: 'ended' as const, endCause, ...ended }
    if (endCause !== 'completed') return [ringing, { afterMs: answerAfter, report: end }]
    return [
      ringing,
      { afterMs: answerAfter, report: { callId, state: 'answered' } },
      { afterMs: talkMsOf(callId), report: end },
    ]
  }
  function talkMsOf(callId: string): number {
    return between(talkMs, diceOf(callId, 'talk'))
  }
  function endOf(
    callId: string,
  ): Required<Pick<VoiceReport, 'endCause' | 'durationSec'>> & Partial<VoiceReport> {
    const endCause = fateOf(callId)
    if (endCause !== 'completed') return { endCause, durationSec: 0 }
    return {
      endCause,
      durationSec: Math.max(1, Math.round(talkMsOf(callId) / 1_000)),
      recordingRef: `sandbox/${code}/${callId}.ogg`,
    }
  }
  function wait(callId: string, left: Step[]): void {
    const [next] = left
    if (next) waiting.set(callId, { left, timer: setTimeout(() => go(callId), next.afterMs) })
    else waiting.delete(callId)
  }
  function go(callId: string): void {
    const [step, ...rest] = waiting.get(callId)?.left ?? []
    clearTimeout(waiting.get(callId)?.timer)
    wait(callId, rest)
    if (step) reportState(step.report)
  }
  function reportState(report: VoiceReport): void {
    const { callId, state } = report
    if (state === 'ended' && diceOf(callId, 'lost') < lostPercent) return
    reporter.report({ callId }, () => send(report))
  }
  async function send(report: VoiceReport): Promise<void> {
    const { callId, state } = report
    const body = JSON.stringify(report)
    await reporter.call(body, `${state}-${callId}`)
    if (diceOf(callId, `${state} again`) < duplicatePercent)
      await reporter.call(body, `again-${state}-${callId}`)
  }
  return {
    code,
    async start({ callId }) {
      if (!waiting.has(callId)) wait(callId, stepsOf(callId))
      return { accepted: true, vendorCallId: vendorCallIdOf(callId) }
    },
    async query(callId) {
      if (waiting.has(callId)) return { state: 'dialling', vendorCallId: vendorCallIdOf(callId) }
      return { state: 'reported', report: { callId, state: 'ended', ...endOf(callId) } }
    },
    /** Ends all calls at once and sends the reports, those of each call in their order. */
    async settle() {
      while (waiting.size > 0 || reporter.isReporting) {
        for (const callId of [...waiting.keys()]) go(callId)
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

export const fateOf = (callId: string): Cause => fateIn(FATES, callId)

const vendorCallIdOf = (callId: string) => vendorNumberOf('SBV', callId)
