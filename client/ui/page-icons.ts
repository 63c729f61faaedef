/** An icon of its own for every screen, by the name of its menu: on cards, where the title alone would have to be read. Registered with the screens' icons. */
import type { IconName } from '@blueprintjs/icons'

export const PAGE_ICONS: Readonly<Record<string, IconName>> = {
  customer_list: 'person', user_feedback: 'comment', home: 'chart',
  loan_list: 'bank-account', order_list: 'list', repay_plan: 'time', repay_record: 'history', wait_relent: 'redo', reduce_list: 'arrow-down', flat_management: 'confirm', change_case: 'swap-horizontal', repay_proof: 'manual', review_list: 'endorsed',
  overdue_stage: 'th-list', urge_agencies: 'projects', urge_person: 'people', urge_schedule: 'calendar', pedding_list: 'inbox', peded_list: 'tick-circle', urge_performance: 'trending-up', agency_detail: 'comparison', recycle_bill: 'import',
  decrease_bill: 'trending-down', loaned_board: 'dashboard', coupon_list: 'credit-card', stop_collection: 'ban-circle',
  user: 'user', role: 'shield', conf: 'settings', dict: 'bookmark', operation_ticket: 'tag', loaned_ticket: 'headset', product_config: 'duplicate', phone_manangement: 'phone', operate_record: 'clipboard', notice_list: 'notifications', timed_task: 'stopwatch',
}
