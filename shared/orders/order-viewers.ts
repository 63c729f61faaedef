/**
 * Menus that open the page of an order within the data scope: orders, reviews and cases. The back
 * link leads to the first of them that the user has.
 */
export const ORDER_VIEWERS = [
  'order_list',
  'loan_list',
  'wait_relent',
  'repay_plan',
  'repay_record',
  'reduce_list',
  'flat_management',
  'review_list',
  'pedding_list',
  'peded_list',
] as const
