import type { MenuItem } from '#shared/kernel/permission.ts'

/** Announcements (screens.md 7.18). The group `system` stands beside its oldest screens. */
export const NOTICES_MENU: MenuItem[] = [
  {
    name: 'notice_list',
    path: '/system/notice_list',
    component: 'system/notice_list',
    parent: 'system',
    title: 'notices:menu.notice_list',
    visible: 0,
    sort: 160,
    roles: ['director', 'manager'],
    actions: { add: ['manager'], edit: ['manager'], publish: ['manager'], delete: ['manager'] },
  },
]
