import type { MenuItem } from '#shared/kernel/permission.ts'
import { ROLES } from './roles.ts'

/** The fixed first tab. Every role has it, so a menu is never empty. */
export const SESSION_MENU: MenuItem[] = [
  {
    name: 'home_page',
    path: '/home_page',
    component: 'home_page',
    parent: null,
    title: 'session:menu.home_page',
    icon: 'home',
    visible: 0,
    sort: 0,
    actions: {},
    roles: ROLES.map((r) => r.mark),
  },
]
