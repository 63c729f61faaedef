/**
 * What the exchange of an app does for the product: it rings the extension of a person and, once
 * they pick up, the borrower. How the call goes comes unasked, as signed calls of
 * /inbound/callRecord.
 */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { inboundCallRecord } from '#shared/voice-calls/voice-calls-api.ts'

export interface VoiceOrder {
  /** Ours: the exchange takes the same one once, however often it is handed over. */
  callId: string
  /** Rung first. */
  extension: string
  /** Number the borrower sees; null: the one line the exchange has for the extension. */
  from: string | null
  /** Ten digits, India. */
  to: string
}

export type VoiceAnswer =
  | { accepted: true; vendorCallId: string }
  /** `isFault`: it did not read the request, because the key or the address is wrong. */
  | { accepted: false; reason: string; isFault: boolean }

/** State of a call, as reported or as queried. */
export type VoiceReport = InputOf<typeof inboundCallRecord>

export type VoiceStatus =
  | { state: 'unknown' }
  | { state: 'dialling'; vendorCallId: string }
  | { state: 'reported'; report: VoiceReport }

export interface VoiceVendor {
  readonly code: string
  /** @throws Error when it is not known whether the exchange took it; it is then asked about */
  start(order: VoiceOrder): Promise<VoiceAnswer>
  /** @throws Error when the exchange cannot be asked */
  query(callId: string): Promise<VoiceStatus>
  /** Resolves when this process has no report left to send. */
  settle(): Promise<void>
  close(): Promise<void>
}
