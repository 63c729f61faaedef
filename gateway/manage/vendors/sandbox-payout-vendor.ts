/**
 * A payout vendor inside the product, for pilots, demos and tests. It behaves like a real one: it
 * takes an instruction, and some seconds later calls the signed /inbound/payout; results come out
 * of order, some fail, some are reported twice. What becomes of a transfer follows from its number
 * alone, so that after a restart `query` gives the same answer and no transfer hangs.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type MachineKey, ownMachineKey } from '#gateway/manage/kernel/machine.ts'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'
import type { PayoutVendor } from './payout-vendor.ts'

export interface SandboxSettings {
  /** Its vendor code; `sandbox` when left out. */
  code?: string
  /** Shortest and longest time until a result is reported. */
  delayMs?: readonly [number, number]
  /** Whole percent of transfers that fail. */
  failPercent?: number
  /** Whole percent of results that are reported twice. */
  duplicatePercent?: number
}

const CALLBACK = '/api/manage/inbound/payout'
const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/
const FAIL_REASONS = [
  'Beneficiary account closed',
  'Bank offline',
  'Beneficiary name mismatch',
  'Account frozen by the bank',
  'Daily limit of the beneficiary reached',
] as const
const TELL_TRIES = 3

interface Told {
  platformOrderNo: string
  vendorOrderNo: string
  result: 'success' | 'fail'
  failReason?: string
  utr?: string
}

export function sandboxPayoutVendor(
  {
    code = 'sandbox',
    delayMs = [2_000, 8_000],
    failPercent = 6,
    duplicatePercent = 10,
  }: SandboxSettings,
  context: AppContext,
  app: FastifyInstance,
): PayoutVendor {
  const waiting = new Map<string, NodeJS.Timeout>()
  const telling = new Set<Promise<void>>()
  let key: Promise<MachineKey> | null = null

  function tell(platformOrderNo: string): void {
    clearTimeout(waiting.get(platformOrderNo))
    waiting.delete(platformOrderNo)
    const told = sendResult(platformOrderNo)
      .catch((error: unknown) =>
        context.log.warn(
          { err: error, platformOrderNo },
          'the sandbox vendor could not tell a result; it is asked later',
        ),
      )
      .finally(() => telling.delete(told))
    telling.add(told)
  }
  async function sendResult(platformOrderNo: string): Promise<void> {
    const body = JSON.stringify(fateOf(platformOrderNo, failPercent))
    await call(body, `result-${platformOrderNo}`)
    const chance = dice(platformOrderNo, 'duplicate')
    // half of the repeats are the same event sent again, half a new event of the same content
    if (chance < duplicatePercent)
      await call(body, chance % 2 === 0 ? `result-${platformOrderNo}` : `again-${platformOrderNo}`)
  }
  async function call(body: string, eventId: string): Promise<void> {
    key ??= ownMachineKey(context, {
      name: `payout:${code}`,
      scopes: ['payout'],
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
    async send({ platformOrderNo, ifsc }) {
      if (!IFSC.test(ifsc)) return { accepted: false, reason: 'Invalid IFSC', final: true }
      if (!waiting.has(platformOrderNo)) {
        const [from, to] = delayMs
        const delay = from + ((to - from) * dice(platformOrderNo, 'delay')) / 100
        waiting.set(
          platformOrderNo,
          setTimeout(() => tell(platformOrderNo), delay),
        )
      }
      return { accepted: true, vendorOrderNo: vendorOrderNoOf(platformOrderNo) }
    },
    async query(platformOrderNo) {
      const vendorOrderNo = vendorOrderNoOf(platformOrderNo)
      if (waiting.has(platformOrderNo)) return { state: 'processing', vendorOrderNo }
      const fate = fateOf(platformOrderNo, failPercent)
      return fate.result === 'success'
        ? { state: 'success', vendorOrderNo, utr: fate.utr ?? null }
        : { state: 'fail', vendorOrderNo, reason: fate.failReason ?? '' }
    },
    /** Tells at once what waits. */
    async settle() {
      while (waiting.size > 0 || telling.size > 0) {
        for (const platformOrderNo of waiting.keys()) tell(platformOrderNo)
        await Promise.all(telling)
      }
    },
    async close() {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
      await Promise.all(telling)
    },
  }
}

/** 0 to 99, the same for the same number and use. */
function dice(platformOrderNo: string, use: string): number {
  return digest(platformOrderNo, use).readUInt32BE() % 100
}

function fateOf(platformOrderNo: string, failPercent: number): Told {
  const vendorOrderNo = vendorOrderNoOf(platformOrderNo)
  const hash = digest(platformOrderNo, 'fate')
  if (hash.readUInt32BE() % 100 < failPercent) {
    const failReason = FAIL_REASONS[hash.readUInt32BE(4) % FAIL_REASONS.length] as string
    return { platformOrderNo, vendorOrderNo, result: 'fail', failReason }
  }
  // UPI and IMPS references have 12 digits
  const utr = String(hash.readUIntBE(8, 6) % 1_000_000_000_000).padStart(12, '0')
  return { platformOrderNo, vendorOrderNo, result: 'success', utr }
}

function vendorOrderNoOf(platformOrderNo: string): string {
  return `SBX${digest(platformOrderNo, 'number').toString('hex').slice(0, 16)}`
}

function digest(platformOrderNo: string, use: string): Buffer {
  return createHash('sha256').update(`${use}\n${platformOrderNo}`).digest()
}
