/**
 * An exchange inside the product, for pilots, demos and tests; no telephone rings. It takes a call
 * and tells by the signed /inbound/callRecord that it rings, is answered and ends: some reports come
 * twice, some never, so that they must be asked for. What becomes of a call follows from its id
 * alone: after a restart `query` gives its end.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { TOLD_CAUSES } from '#shared/voice-calls/voice-call-sets.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type MachineKey, ownMachineKey } from '#gateway/manage/kernel/machine.ts'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'
import type { VoiceReport, VoiceVendor } from './voice-vendor.ts'

export interface SandboxVoiceSettings {
  code: string
  /** Shortest and longest time until it rings, from there until it is answered, and of the talk. */
  ringMs?: readonly [number, number]
  answerMs?: readonly [number, number]
  talkMs?: readonly [number, number]
  /** Whole percent of reports that are told twice, and of ends that are never told. */
  duplicatePercent?: number
  lostPercent?: number
}

type Cause = (typeof TOLD_CAUSES)[number]

const CALLBACK = '/api/manage/inbound/callRecord'
const TELL_TRIES = 3

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
  const telling = new Set<Promise<void>>()
  let key: Promise<MachineKey> | null = null

  interface Step {
    afterMs: number
    report: VoiceReport
  }
  function stepsOf(callId: string): Step[] {
    const { endCause, ...ended } = endOf(callId)
    const ringing = {
      afterMs: between(ringMs, dice(callId, 'ring')),
      report: { callId, state: 'ringing' as const },
    }
    const answerAfter = between(answerMs, dice(callId, 'answer'))
    const end = { callId, state: 'ended' as const, endCause, ...ended }
    if (endCause !== 'completed') return [ringing, { afterMs: answerAfter, report: end }]
    return [
      ringing,
      { afterMs: answerAfter, report: { callId, state: 'answered' } },
      { afterMs: talkMsOf(callId), report: end },
    ]
  }
  function talkMsOf(callId: string): number {
    return between(talkMs, dice(callId, 'talk'))
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
    if (step) tell(step.report)
  }
  function tell(report: VoiceReport): void {
    const { callId, state } = report
    if (state === 'ended' && dice(callId, 'lost') < lostPercent) return
    const told = send(report)
      .catch((error: unknown) =>
        context.log.warn(
          { err: error, callId },
          'the sandbox exchange could not tell a report; it is asked later',
        ),
      )
      .finally(() => telling.delete(told))
    telling.add(told)
  }
  async function send(report: VoiceReport): Promise<void> {
    const { callId, state } = report
    const body = JSON.stringify(report)
    await call(body, `${state}-${callId}`)
    if (dice(callId, `${state} again`) < duplicatePercent)
      await call(body, `again-${state}-${callId}`)
  }
  async function call(body: string, eventId: string): Promise<void> {
    key ??= ownMachineKey(context, {
      name: `voice:${code}`,
      scopes: ['callRecord'],
      vendorCode: code,
    })
    const { keyId, secret } = await key
    for (let tries = 1; ; tries += 1) {
      const answer = await app.inject({
        method: 'POST',
        url: CALLBACK,
        headers: signMachineCall({ keyId, secret, body, eventId, now: Date.now() }),
        payload: body,
      })
      if (answer.statusCode === 200 && answer.json<{ code: number }>().code !== 500) return
      if (tries === TELL_TRIES) throw new Error(`manage answered ${answer.statusCode}`)
    }
  }
  return {
    code,
    async start({ callId }) {
      if (!waiting.has(callId)) wait(callId, stepsOf(callId))
      return { accepted: true, vendorCallId: vendorCallIdOf(callId) }
    },
    async query(callId) {
      if (waiting.has(callId)) return { state: 'dialling', vendorCallId: vendorCallIdOf(callId) }
      return { state: 'told', report: { callId, state: 'ended', ...endOf(callId) } }
    },
    /** Ends all calls at once and tells what is told, each call's reports in their order. */
    async settle() {
      while (waiting.size > 0 || telling.size > 0) {
        for (const callId of [...waiting.keys()]) go(callId)
        await Promise.all(telling)
      }
    },
    async close() {
      for (const { timer } of waiting.values()) clearTimeout(timer)
      waiting.clear()
      await Promise.all(telling)
    },
  }
}

/** 0 to 99, the same for the same call and use. */
function dice(callId: string, use: string): number {
  return createHash('sha256').update(`${use}\n${callId}`).digest().readUInt32BE() % 100
}

function between([from, to]: readonly [number, number], drawn: number): number {
  return from + ((to - from) * drawn) / 100
}

export function fateOf(callId: string): Cause {
  let left = dice(callId, 'fate')
  for (const [cause, share] of FATES) {
    if (left < share) return cause
    left -= share
  }
  return 'noAnswer'
}

function vendorCallIdOf(callId: string): string {
  return `SBV${createHash('sha256').update(`number\n${callId}`).digest('hex').slice(0, 16)}`
}
