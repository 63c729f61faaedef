/** The payment channel: callers that tell of one payment after another, each signed, each with a UTR of its own. */
import { randomUUID } from 'node:crypto'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'
import { inboundPayment, REPAY_CHANNEL } from '#shared/repayments/inbound-payment-api.ts'
import { sharedNow, spreadOf } from '../measure.ts'
import { serveBench } from './child.ts'
import type { HttpLoadResult } from './http-load.ts'
import { Line } from './line.ts'

export interface PaymentLoad {
  url: string
  keyId: string
  secret: string
  /** Paid a little of, in turn. */
  orderIds: string[]
  callers: number
  ms: number
}

/** So little that no loan is paid off meanwhile. */
const PAISE = 100
let last = 0

serveBench({ start: () => null, run })

async function run({ url, keyId, secret, orderIds, callers, ms }: PaymentLoad): Promise<HttpLoadResult> {
  const { hostname, port } = new URL(url)
  const latencies: number[] = []
  const refused = { count: 0, first: null as string | null }
  let bytes = 0
  const begin = sharedNow()
  async function caller(): Promise<void> {
    const line = new Line(hostname, Number(port))
    while (sharedNow() - begin < ms) {
      last += 1
      const body = JSON.stringify({ vendorOrderNo: `BENCH${last}`, orderId: orderIds[last % orderIds.length], amount: PAISE, utr: String(700_000_000_000 + last), channel: REPAY_CHANNEL.bankTransfer, result: 'success' })
      const headers = Object.entries(signMachineCall({ keyId, secret, body, eventId: randomUUID(), now: Date.now() })).map(([name, value]) => `${name}: ${value}\r\n`).join('')
      const sentAt = sharedNow()
      const answer = await line.ask(`POST /api/manage${inboundPayment.path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`).catch((error: unknown) => ({ start: String(error), size: 0 }))
      bytes = answer.size
      if (answer.start.startsWith('{"code":200')) latencies.push(sharedNow() - sentAt)
      else {
        refused.count += 1
        refused.first ??= answer.start
      }
    }
    line.close()
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return { ok: latencies.length, perSecond: latencies.length / ((sharedNow() - begin) / 1_000), latencyMs: spreadOf(latencies), bytes, refused }
}
