import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

/**
 * Parameters, dictionaries and phone lines. The group `system` is declared with its first screens
 * in tickets-menu.ts.
 */
const screen = pagesIn('system', 'system')

export const SYSTEM_MENU: MenuItem[] = [
  {
    ...screen('conf', 30),
    icon: 'settings',
    roles: ['manager'],
    actions: { add: [], edit: [], status: [], refresh: [] },
  },
  {
    ...screen('dict', 40),
    icon: 'bookmark',
    roles: ['manager'],
    actions: { add: [], edit: [], delete: [], generate: [] },
  },
  {
    ...screen('phone_manangement', 110),
    icon: 'phone',
    roles: ['manager', 'group_leader', 'internal_supervisor', 'external_supervisor'],
    actions: { add: ['manager'], edit: ['manager'], status: ['manager'], bind: ['manager'] },
  },
]
