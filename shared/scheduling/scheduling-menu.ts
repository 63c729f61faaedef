import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('system', 'scheduling')

/** The group `system` is declared with its first screens in tickets-menu.ts. */
export const SCHEDULING_MENU: MenuItem[] = [
  {
    ...screen('timed_task', 170),
    icon: 'stopwatch',
    roles: ['manager'],
    actions: { edit: [], status: [], run: [] },
  },
]
