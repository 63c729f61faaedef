import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('loaned_management', 'collection')
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
    icon: 'trending-up',
    roles: FLOOR,
    actions: {
      export: ['director', 'manager', 'team_leader', 'internal_supervisor', 'external_supervisor'],
    },
  },
  {
    ...screen('agency_detail', 80),
    icon: 'comparison',
    roles: ['director', 'manager', 'internal_supervisor', 'external_supervisor'],
    actions: { export: ['director', 'manager', 'external_supervisor'] },
  },
  { ...screen('recycle_bill', 90), icon: 'import', roles: FLOOR, actions: { export: BILLS } },
  {
    ...screen('decrease_bill', 100),
    icon: 'trending-down',
    roles: FLOOR,
    actions: { export: BILLS },
  },
]
