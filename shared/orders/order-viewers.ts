/** Menus that open the page of an order within the data scope: those of orders, of reviews and of cases (screens.md 1.5, api.md 8). The first of them a person has is the way back. */
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
