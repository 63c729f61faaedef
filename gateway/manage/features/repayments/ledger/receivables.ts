/** The accounts of what a customer owes, for a query. */
export const RECEIVABLES = `('principalReceivable', 'doubtfulPrincipal', 'interestReceivable', 'serviceReceivable',
  'fineReceivable')`
