import type { MenuItem } from '#shared/kernel/permission.ts'

/** Who may do what, and who did it (screens.md 7.1, 7.2, 7.3, 7.12). The group `system` stands beside its oldest screens. */
const screen = (
  name: string,
  sort: number,
): Pick<MenuItem, 'name' | 'path' | 'component' | 'parent' | 'title' | 'visible' | 'sort'> => ({
  name,
  path: `/system/${name}`,
  component: `system/${name}`,
  parent: 'system',
  title: `access:menu.${name}`,
  visible: 0,
  sort,
})

export const ACCESS_MENU: MenuItem[] = [
  {
    ...screen('user', 10),
    roles: ['manager'],
    actions: { add: [], edit: [], status: [], reset: [], kick: [], twoFactor: [] },
  },
  // approve: a second person's word, where approval.kinds asks for it (roles.md 4)
  {
    ...screen('role', 20),
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
  // prove: the proof of the books stands beside the log
  { ...screen('operate_record', 120), roles: ['director'], actions: { export: [], prove: [] } },
]
