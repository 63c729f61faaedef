/** The built-in code tables: dictionary code → name, and the i18n path of its labels. */
export interface CodeTable {
  name: string
  /** `namespace:path` of the labels by code. */
  words: string
  /** Codes that differ from the names under the path; absent = the names are the codes. */
  codes?: Readonly<Record<string, string>>
}

const only = (...names: string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, name]))

/** Without `order_status`, whose codes are numbers: see `codeTables`. */
export const CODE_TABLES = {
  review_state: { name: 'Review state', words: 'review:state' },
  quality_state: { name: 'Quality check', words: 'review:qualityState' },
  tele_call_state: {
    name: 'Tele-verification call',
    words: 'review:tele',
    codes: only('notExecuted', 'executing', 'connected', 'notConnected'),
  },
  bind_state: { name: 'Card binding', words: 'review:bind' },
  reject_reason: { name: 'Reject reason', words: 'review:reject' },
  pay_state: { name: 'Payment state', words: 'repayments:payState' },
  plan_state: { name: 'Instalment state', words: 'repayments:planStatus' },
  repay_channel: { name: 'Repayment channel', words: 'repayments:channel' },
  ticket_progress: { name: 'Ticket progress', words: 'tickets:progress' },
  ticket_follow: { name: 'Ticket follow-up', words: 'tickets:follow' },
  ticket_type: { name: 'Ticket type', words: 'tickets:type' },
  handover_state: { name: 'Hand-over', words: 'review:handoverState' },
  close_type: { name: 'Order close type', words: 'orders:closeType' },
  rbi_class: { name: 'RBI class', words: 'orders:rbi' },
  allocation_state: { name: 'Stage allocation', words: 'collection:allocationState' },
  case_state: { name: 'Case state', words: 'collection:state' },
  ptp_state: { name: 'Promise', words: 'collection:ptpState' },
  contact_result: { name: 'Contact result', words: 'collection:contactResult' },
  willingness: { name: 'Repayment willingness', words: 'collection:willingness' },
  contact_way: { name: 'Contact way', words: 'collection:contactWay' },
  run_state: { name: 'Allocation run', words: 'collection:runState' },
  change_state: { name: 'Case change', words: 'collection:changeState' },
  stop_state: { name: 'Stop of collection', words: 'collection:stopState' },
  user_status: {
    name: 'Account status',
    words: 'access:status',
    codes: only('enabled', 'normal', 'disabled', 'frozen'),
  },
  role_status: { name: 'Role status', words: 'access:status', codes: only('enabled', 'disabled') },
  customer_class: { name: 'Customer class', words: 'orders:customer.classes' },
  notice_state: { name: 'Announcement', words: 'announcements:state' },
  notification_kind: { name: 'Notification', words: 'notifications:kinds' },
  job_state: { name: 'Job', words: 'notifications:jobs.state' },
} as const satisfies Record<string, CodeTable>

/**
 * Dictionaries that the product reads and the company fills: the type is fixed, its entries are
 * not.
 */
export const KEPT_TABLES = {
  /** The code is an IST day without recovery contact. */
  holiday: 'Holiday',
  /** Its entries, in every language, are the words for which a contact remark is flagged. */
  harsh_word: 'Harsh word',
} as const

/** Codes of all tables, as the dictionary names them. */
export const CODE_TABLE_NAMES: Readonly<Record<string, string>> = {
  order_status: 'Loan order status',
  ...Object.fromEntries(Object.entries(CODE_TABLES).map(([code, { name }]) => [code, name])),
}
