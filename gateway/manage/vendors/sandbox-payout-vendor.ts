/**
 * A payout vendor inside the product, for pilots, demos and tests. It behaves like a real one: it
 * takes an instruction, and some seconds later calls the signed /inbound/payout; results come out
 * of order, some fail, some are reported twice. The outcome of a transfer follows from its number
 * alone, so that after a restart `query` gives the same answer and no transfer hangs.
 */
import type { FastifyInstance } from 'fastify'
import { inboundPayout } from '#shared/orders/inbound-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { PayoutVendor } from './payout-vendor.ts'
import { between, diceOf, digestOf, vendorNumberOf } from './sandbox-fate.ts'
import { SandboxReporter } from './sandbox-reporter.ts'

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

const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/
const FAIL_REASONS = [
  'Beneficiary account closed',
  'Bank offline',
  'Beneficiary name mismatch',
  'Account frozen by the bank',
  'Daily limit of the beneficiary reached',
] as const

interface PayoutReport {
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
  const reporter = new SandboxReporter(context, app, {
    kind: 'payout',
    scope: 'payout',
    vendorCode: code,
    path: inboundPayout.path,
  })

  function reportResult(platformOrderNo: string): void {
    clearTimeout(waiting.get(platformOrderNo))
    waiting.delete(platformOrderNo)
    reporter.report({ platformOrderNo }, () => sendResult(platformOrderNo))
  }
  async function sendResult(platformOrderNo: string): Promise<void> {
    const body = JSON.stringify(fateOf(platformOrderNo, failPercent))
    await reporter.call(body, `result-${platformOrderNo}`)
    const chance = diceOf(platformOrderNo, 'duplicate')
    // half of the repeats are the same event sent again, half a new event of the same content
    if (chance < duplicatePercent)
      await reporter.call(
        body,
        chance % 2 === 0 ? `result-${platformOrderNo}` : `again-${platformOrderNo}`,
      )
  }
  return {
    code,
    async send({ platformOrderNo, ifsc }) {
      if (!IFSC.test(ifsc)) return { accepted: false, reason: 'Invalid IFSC', final: true }
      if (!waiting.has(platformOrderNo)) {
        const delay = between(delayMs, diceOf(platformOrderNo, 'delay'))
        waiting.set(
          platformOrderNo,
          setTimeout(() => reportResult(platformOrderNo), delay),
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
    /** Reports all pending results at once. */
    async settle() {
      while (waiting.size > 0 || reporter.isReporting) {
        for (const platformOrderNo of waiting.keys()) reportResult(platformOrderNo)
        await reporter.ended()
      }
    },
    async close() {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
      await reporter.ended()
    },
  }
}

function fateOf(platformOrderNo: string, failPercent: number): PayoutReport {
  const vendorOrderNo = vendorOrderNoOf(platformOrderNo)
  const hash = digestOf(platformOrderNo, 'fate')
  if (hash.readUInt32BE() % 100 < failPercent) {
    const failReason = FAIL_REASONS[hash.readUInt32BE(4) % FAIL_REASONS.length] as string
    return { platformOrderNo, vendorOrderNo, result: 'fail', failReason }
  }
  // UPI and IMPS references have 12 digits
  const utr = String(hash.readUIntBE(8, 6) % 1_000_000_000_000).padStart(12, '0')
  return { platformOrderNo, vendorOrderNo, result: 'success', utr }
}

const vendorOrderNoOf = (platformOrderNo: string) => vendorNumberOf('SBX', platformOrderNo)
