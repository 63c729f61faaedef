/**
 * A calling robot inside the product, for pilots, demos and tests. It takes a call, and some seconds
 * later tells its end by the signed /inbound/aiCall: some results are told twice, some never, so that
 * they must be asked for. What becomes of a call follows from its id alone: after a restart `query`
 * gives the same answer.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { AiResult } from '#shared/ai-calls/ai-call-sets.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type MachineKey, ownMachineKey } from '#gateway/manage/kernel/machine.ts'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'
import type { AiCallOrder, AiCallResult, AiCallVendor } from './ai-call-vendor.ts'

export interface RobotSettings {
  /** Its vendor code; `sandbox` when left out. */
  code?: string
  /** Shortest and longest time until a call has ended. */
  delayMs?: readonly [number, number]
  /** Whole percent of ends that are told twice, and that are never told. */
  duplicatePercent?: number
  lostPercent?: number
}

const CALLBACK = '/api/manage/inbound/aiCall'
const TELL_TRIES = 3

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
  const telling = new Set<Promise<void>>()
  /** Amounts of calls taken by this process; a promise after a restart names no amount. */
  const orders = new Map<string, AiCallOrder>()
  let key: Promise<MachineKey> | null = null

  function tell(callId: string): void {
    clearTimeout(waiting.get(callId)?.timer)
    waiting.delete(callId)
    if (dice(callId, 'lost') < lostPercent) return
    const told = sendResult(callId)
      .catch((error: unknown) =>
        context.log.warn(
          { err: error, callId },
          'the sandbox robot could not tell a result; it is asked later',
        ),
      )
      .finally(() => telling.delete(told))
    telling.add(told)
  }
  async function sendResult(callId: string): Promise<void> {
    const body = JSON.stringify(endOf(callId, orders.get(callId)))
    await call(body, `end-${callId}`)
    if (dice(callId, 'duplicate') < duplicatePercent) await call(body, `again-${callId}`)
    orders.delete(callId)
  }
  async function call(body: string, eventId: string): Promise<void> {
    key ??= ownMachineKey(context, {
      name: `aiCall:${code}`,
      scopes: ['aiCall'],
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
    async start(order) {
      const { callId } = order
      if (!waiting.has(callId)) {
        const [from, to] = delayMs
        const delay = from + ((to - from) * dice(callId, 'delay')) / 100
        orders.set(callId, order)
        waiting.set(callId, { order, timer: setTimeout(() => tell(callId), delay) })
      }
      return { accepted: true, vendorCallId: vendorCallIdOf(callId) }
    },
    async query(callId) {
      if (waiting.has(callId)) return { state: 'calling', vendorCallId: vendorCallIdOf(callId) }
      return { state: 'ended', result: endOf(callId, orders.get(callId)) }
    },
    /** Ends all calls at once and tells what is told. */
    async settle() {
      while (waiting.size > 0 || telling.size > 0) {
        for (const callId of waiting.keys()) tell(callId)
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

export function fateOf(callId: string): AiResult {
  let left = dice(callId, 'fate')
  for (const [result, share] of FATES) {
    if (left < share) return result
    left -= share
  }
  return 'f'
}

function endOf(callId: string, order: AiCallOrder | undefined): AiCallResult {
  const result = fateOf(callId)
  if (result === 'f') return { callId, result, durationSec: 0 }
  const durationSec = result === 'g' ? 6 : 30 + dice(callId, 'duration')
  const hello = { by: 'robot' as const, text: 'This is a call about your loan.' }
  if (result === 'g') return { callId, result, durationSec, transcript: [hello] }
  const promises = result === 'a' && order !== undefined
  return {
    callId,
    result,
    durationSec,
    ...(promises && {
      promiseDay: addDays(istDay(new Date()), 1 + (dice(callId, 'day') % 3)),
      promiseAmount: order.script.amount,
    }),
    transcript: [hello, { by: 'borrower', text: SAID[result] }],
  }
}

function vendorCallIdOf(callId: string): string {
  return `SBX${createHash('sha256').update(`number\n${callId}`).digest('hex').slice(0, 16)}`
}
