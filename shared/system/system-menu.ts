import type { MenuItem } from '#shared/kernel/permission.ts'

/** Parameters, dictionaries, lines (screens.md 7.4, 7.5, 7.11). The group `system` stands beside its oldest screens. */
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
