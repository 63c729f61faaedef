import type { MenuItem } from '#shared/kernel/permission.ts'

/**
 * Parameters, dictionaries and phone lines. The group `system` is declared with its first screens
 * in tickets-menu.ts.
 */
const screen = (
  name: string,
  sort: number,
): Pick<MenuItem, 'name' | 'path' | 'component' | 'parent' | 'title' | 'visible' | 'sort'> => ({
  name,
  path: `/system/${name}`,
  component: `system/${name}`,
  parent: 'system',
  title: `system:menu.${name}`,
  visible: 0,
  sort,
})

export const SYSTEM_MENU: MenuItem[] = [
  {
    ...screen('conf', 30),
    roles: ['manager'],
    actions: { add: [], edit: [], status: [], refresh: [] },
  },
  {
    ...screen('dict', 40),
    roles: ['manager'],
    actions: { add: [], edit: [], delete: [], generate: [] },
  },
  {
    ...screen('phone_manangement', 110),
    roles: ['manager', 'group_leader', 'internal_supervisor', 'external_supervisor'],
    actions: { add: ['manager'], edit: ['manager'], status: ['manager'], bind: ['manager'] },
  },
]
