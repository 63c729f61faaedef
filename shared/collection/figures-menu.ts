import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = (
  name: string,
  sort: number,
): Pick<MenuItem, 'name' | 'path' | 'component' | 'parent' | 'title' | 'visible' | 'sort'> => ({
  name,
  path: `/loaned_management/${name}`,
  component: `loaned_management/${name}`,
  parent: 'loaned_management',
  title: `collection:menu.${name}`,
  visible: 0,
  sort,
})
const FLOOR = [
  'director',
  'manager',
  'collection_specialist',
  'collector',
  'team_leader',
  'internal_supervisor',
  'external_supervisor',
]

const BILLS = ['director', 'manager', 'internal_supervisor', 'external_supervisor']

/** Figures of collection. */
export const FIGURES_MENU: MenuItem[] = [
  {
    ...screen('urge_performance', 70),
    roles: FLOOR,
    actions: {
      export: ['director', 'manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
    },
  },
  {
    ...screen('agency_detail', 80),
    roles: ['director', 'manager', 'internal_supervisor', 'external_supervisor'],
    actions: { export: ['director', 'manager', 'external_supervisor'] },
  },
  { ...screen('recycle_bill', 90), roles: FLOOR, actions: { export: BILLS } },
  { ...screen('decrease_bill', 100), roles: FLOOR, actions: { export: BILLS } },
]
