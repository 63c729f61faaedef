/**
 * What a payout vendor does for the product. Results also come unasked, as signed calls of
 * /inbound/payout.
 */

export interface PayoutInstruction {
  /** Our number of the transfer: the vendor takes the same one once, however often it is sent. */
  platformOrderNo: string
  payeeName: string
  account: string
  ifsc: string
  /** Paise. */
  amount: number
  transferType: string
}

/** `final`: sending it again would be refused again. */
export type SendResult =
  | { accepted: true; vendorOrderNo: string }
  | { accepted: false; reason: string; final: boolean }

export type TransferResult =
  | { state: 'unknown' }
  | { state: 'processing'; vendorOrderNo: string }
  | { state: 'success'; vendorOrderNo: string; utr: string | null }
  | { state: 'fail'; vendorOrderNo: string; reason: string }

export interface PayoutVendor {
  /** Value of the parameter `payout.vendor` and of a transfer's vendor code. */
  readonly code: string
  /** @throws Error when it is not known whether the vendor accepted it; it is then sent again */
  send(instruction: PayoutInstruction): Promise<SendResult>
  /** @throws Error when the vendor cannot be asked */
  query(platformOrderNo: string): Promise<TransferResult>
  /** Resolves when this process has no result left to report. */
  settle(): Promise<void>
  close(): Promise<void>
}
