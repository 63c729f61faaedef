import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

/**
 * Accounts, roles and the operate log. The group `system` is declared with its first screens in
 * tickets-menu.ts.
 */
const screen = pagesIn('system', 'access')

export const ACCESS_MENU: MenuItem[] = [
  {
    ...screen('user', 10),
    icon: 'user',
    roles: ['manager'],
    actions: { add: [], edit: [], status: [], reset: [], kick: [], twoFactor: [] },
  },
  // approve: decides role requests, where approval.kinds contains them
  {
    ...screen('role', 20),
    icon: 'shield',
    roles: ['director'],
    actions: { add: [], edit: [], status: [], approve: ['director'] },
  },
  {
    ...screen('role_edit', 25),
    visible: 1,
    roles: ['director'],
    actions: {},
    alsoShows: ['role:add', 'role:edit', 'role:status'],
  },
  // prove: the proof of the ledger is shown beside the operate log
  {
    ...screen('operate_record', 120),
    icon: 'clipboard',
    roles: ['director'],
    actions: { export: [], prove: [] },
  },
]
