import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('loaned_management', 'robot')

/** The group `loaned_management` is declared in collection's setup menu. */
export const AI_CALLS_MENU: MenuItem[] = [
  {
    ...screen('ai_call_config', 150),
    icon: 'phone-call',
    roles: ['director', 'manager', 'internal_supervisor'],
    actions: { add: ['manager'], edit: ['manager'], status: ['manager'], task: ['manager'] },
  },
]
