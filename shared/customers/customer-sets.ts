/** Closed sets of customers (api.md 6, roles.md 5). */

/** Parts of a customer that are asked for by name; one the role may not see is absent from the answer. */
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

/** Orders that a person should look at when their customer is blacklisted: not paid out yet, not cancelled by it (api.md 6). */
export const UNDECIDED_ORDERS = [10, 20, 22, 26] as const
/** Rows of a section at most; the lists have the rest. */
export const MOST_ROWS = 100
/** What is written to customers: who will contact them (domain.md 1, rule 7), what staff answered to a ticket, that another account is needed, where to pay. */
export const MESSAGE_TEMPLATES = [
  'agentNamed',
  'ticketAnswered',
  'ticketEnded',
  'newAccount',
  'paymentLink',
] as const
export const MESSAGE_STATES = ['sent', 'failed'] as const
export const TIMELINE_KINDS = ['registered', 'order', 'listed', 'unlisted', 'ticket'] as const
