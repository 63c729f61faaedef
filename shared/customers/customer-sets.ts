/** Closed sets of customers. */

/** Sections of a customer, requested by name; sections the role may not see are omitted. */
export const CUSTOMER_SECTIONS = [
  'basic',
  'contact',
  'kyc',
  'bankCard',
  'photos',
  'credit',
  'device',
  'review',
  'orders',
  'plans',
  'records',
  'cases',
  'tickets',
  'blacklist',
  'messages',
  'timeline',
] as const
export type CustomerSection = (typeof CUSTOMER_SECTIONS)[number]

export const CUSTOMER_CLASSES = ['new', 'old'] as const
export const CREDIT_STATES = ['toCredit', 'passed', 'failed', 'abnormal'] as const
export const BLACKLIST_SOURCES = ['manual', 'operationalWriteOff', 'rule'] as const

/**
 * Statuses of orders not paid out yet: blacklisting does not cancel them, so staff must look at
 * them.
 */
export const UNDECIDED_ORDERS = [10, 20, 22, 26] as const
/** Maximum rows of a section; the lists have the rest. */
export const MOST_ROWS = 100
/**
 * Messages to customers: notice of who will contact them, the reply to a ticket, the request for
 * another account, the payment link, the reminder before an instalment falls due.
 */
export const MESSAGE_TEMPLATES = [
  'agentNamed',
  'ticketAnswered',
  'ticketEnded',
  'newAccount',
  'paymentLink',
  'dueReminder',
  'promotion',
  'erasureNotice',
] as const
export const MESSAGE_STATES = ['sent', 'failed'] as const
export const TIMELINE_KINDS = ['registered', 'order', 'listed', 'unlisted', 'ticket'] as const
