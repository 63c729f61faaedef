/**
 * What a vendor of calling robots does for the product. Results also come unasked, as signed calls of
 * /inbound/aiCall.
 */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { inboundAiCall } from '#shared/ai-calls/ai-calls-api.ts'

export interface AiCallOrder {
  /** Ours: the vendor takes the same one once, however often it is handed over. */
  callId: string
  robotId: string
  /** Ten digits, India. */
  to: string
  /** Number the borrower sees. */
  from: string
  language: string
  /** What the robot may say: the amount due in paise, its IST day, and the lender's product. */
  script: { productName: string; amount: number; dueDay: string; overdueDays: number }
}

export type AiCallAnswer =
  | { accepted: true; vendorCallId: string }
  | { accepted: false; reason: string }

/** Result of a call that ended, as reported or as queried. */
export type AiCallResult = InputOf<typeof inboundAiCall>

export type AiCallStatus =
  | { state: 'unknown' }
  | { state: 'calling'; vendorCallId: string }
  | { state: 'ended'; result: AiCallResult }

export interface AiCallVendor {
  readonly code: string
  /** @throws Error when it is not known whether the vendor took it; it is then asked about */
  start(order: AiCallOrder): Promise<AiCallAnswer>
  /** @throws Error when the vendor cannot be asked */
  query(callId: string): Promise<AiCallStatus>
  /** Resolves when this process has no report left to send. */
  settle(): Promise<void>
  close(): Promise<void>
}
