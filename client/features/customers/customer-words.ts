/** Labels, colours and URLs of customers. */
import { type Tone, toneOf } from '#client/ui/value/StatusTag.tsx'
import type { BLACKLIST_SOURCES, CREDIT_STATES } from '#shared/customers/customer-sets.ts'

const CREDIT_TONES: Record<string, Tone> = {
  toCredit: 'neutral',
  passed: 'good',
  failed: 'bad',
  abnormal: 'warn',
} satisfies Record<(typeof CREDIT_STATES)[number], Tone>
const SOURCE_TONES: Record<string, Tone> = {
  manual: 'warn',
  operationalWriteOff: 'bad',
  rule: 'info',
} satisfies Record<(typeof BLACKLIST_SOURCES)[number], Tone>

export const creditTone = toneOf(CREDIT_TONES)
export const sourceTone = toneOf(SOURCE_TONES)

/** URL of the customer's page in the console. */
export function customerPath(userId: string): string {
  return `/customer_management/info?userId=${encodeURIComponent(userId)}`
}

const WINDOW = 'popup,width=1080,height=860'

/**
 * Opens the customer's page in a separate window beside the current work. The same customer reuses
 * the same window.
 */
export function openCustomerWindow(userId: string): void {
  window.open(`/customerInfo?userId=${encodeURIComponent(userId)}`, `customer-${userId}`, WINDOW)
}
