import type { MenuItem } from '#shared/kernel/permission.ts'

/**
 * Menu of the announcements. The group `system` is declared with its first screens in
 * tickets-menu.ts.
 */
export const ANNOUNCEMENTS_MENU: MenuItem[] = [
  {
    name: 'notice_list',
    path: '/system/notice_list',
    component: 'system/notice_list',
    parent: 'system',
    title: 'announcements:menu.notice_list',
    visible: 0,
    sort: 160,
    roles: ['director', 'manager'],
    actions: { add: ['manager'], edit: ['manager'], publish: ['manager'], delete: ['manager'] },
  },
]
