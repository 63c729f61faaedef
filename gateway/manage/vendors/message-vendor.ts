/** What a vendor of messages does for the product: one message, to one person, by one way. */
import type { MESSAGE_TEMPLATES } from '#shared/customers/customer-sets.ts'

export interface OutgoingMessage {
  /** Ours: the vendor takes the same one once, however often it is sent. */
  key: string
  /** App of the customer, which decides who is asked; it stays in the console. */
  appId?: string
  way: 'sms' | 'email' | 'whatsapp'
  /** Phone number (ten digits, India) or e-mail address. */
  to: string
  /** Of the text the vendor holds for the template. */
  language: string
  /**
   * `agentNamed`: who will contact the borrower from now on. `ticketAnswered`, `ticketEnded`: what
   * staff answered to a ticket. `newAccount`: the loan could not be paid into the account, another
   * is needed. `paymentLink`: the address (`url`) of the page where the amount (paise) is paid; without
   * one the vendor makes it from the link's id; the payment comes by /inbound/payment with that id as its
   * `vendorOrderNo`. `dueReminder`: an instalment falls due soon. `promotion`: what the lender offers
   * to customers of a segment. `erasureNotice`: the personal data will be erased in so many hours unless
   * the customer applies again. `reportReady`, to staff: a report they asked for is made; `link`
   * leads to the console, which asks for the sign-in.
   */
  template: (typeof MESSAGE_TEMPLATES)[number] | 'reportReady'
  params: Record<string, string>
}

export type MessageResult =
  | { accepted: true; vendorRef: string }
  | { accepted: false; reason: string }

export interface MessageVendor {
  readonly code: string
  /** False: only apps with services of their own are served. */
  readonly servesAll?: boolean
  /**
   * @throws Error when it is not known whether the vendor accepted it; it is then sent again with the
   * same key
   */
  send(message: OutgoingMessage): Promise<MessageResult>
}

declare module '#gateway/manage/kernel/feature.ts' {
  interface Vendors {
    messages: MessageVendor
  }
}

/**
 * Accepts every message and sends nothing: for a laptop and the demo. It keeps nothing, so no number
 * stays behind.
 */
export function sandboxMessageVendor(code = 'sandbox'): MessageVendor {
  return {
    code,
    send: ({ key }) => Promise.resolve({ accepted: true, vendorRef: `SB-${key}` }),
  }
}
