import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const screen = pagesIn('system', 'vendors')
const emiScreen = pagesIn('emi_manage', 'vendors', 'system/emi_manage')

/** Menu of third parties: administrators only. The group `emi_manage` is declared with the products. */
export const VENDORS_MENU: MenuItem[] = [
  {
    ...screen('three_config', 70),
    icon: 'data-connection',
    roles: [],
    actions: { add: [], edit: [], status: [], flush: [], generate: [] },
  },
  {
    ...emiScreen('three_configure', 20),
    icon: 'data-lineage',
    roles: [],
    actions: { edit: [] },
  },
]
