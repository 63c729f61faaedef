import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('system', 'rules')

/** The group `system` is declared with its first screens in tickets-menu.ts. */
export const RULES_MENU: MenuItem[] = [
  // approve: decides that a version comes into force
  {
    ...screen('rule_engine', 140),
    icon: 'flows',
    roles: ['director', 'manager'],
    actions: {
      add: [],
      edit: [],
      status: [],
      delete: [],
      test: [],
      action: [],
      approve: ['director'],
    },
  },
  {
    ...screen('batch_run', 145),
    icon: 'repeat',
    roles: ['director', 'manager'],
    actions: { start: ['manager'], stop: ['manager'], export: ['manager'] },
  },
]
