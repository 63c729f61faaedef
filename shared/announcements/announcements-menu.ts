import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('system', 'announcements')

/**
 * Menu of the announcements. The group `system` is declared with its first screens in
 * tickets-menu.ts.
 */
export const ANNOUNCEMENTS_MENU: MenuItem[] = [
  {
    ...screen('notice_list', 160),
    icon: 'notifications',
    roles: ['director', 'manager'],
    actions: { add: ['manager'], edit: ['manager'], publish: ['manager'], delete: ['manager'] },
  },
]
