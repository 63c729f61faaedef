/** The payment channel: callers that report payments, each signed and with its own UTR. */
import { randomUUID } from 'node:crypto'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'
import { inboundPayment, REPAY_CHANNEL } from '#shared/repayments/inbound-payment-api.ts'
import { callAll, type CallersResult } from './callers.ts'
import { serveBench } from './child.ts'

export interface PaymentLoad {
  url: string
  keyId: string
  secret: string
  /** Orders that receive small payments, in turn. */
  orderIds: string[]
  callers: number
  ms: number
}

/** So little that no loan is repaid during the run. */
const PAISE = 100
let last = 0

serveBench({ start: () => null, run })

function run({ url, keyId, secret, orderIds, callers, ms }: PaymentLoad): Promise<CallersResult> {
  return callAll({
    url,
    callers,
    ms,
    request: () => {
      last += 1
      const body = JSON.stringify({
        vendorOrderNo: `BENCH${last}`,
        orderId: orderIds[last % orderIds.length],
        amount: PAISE,
        utr: String(700_000_000_000 + last),
        channel: REPAY_CHANNEL.bankTransfer,
        result: 'success',
      })
      const signed = Object.entries(
        signMachineCall({ keyId, secret, body, eventId: randomUUID(), now: Date.now() }),
      )
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')
      return {
        line: `POST /api/manage${inboundPayment.path}`,
        headers: `${signed}content-length: ${Buffer.byteLength(body)}\r\n`,
        body,
      }
    },
  })
}
