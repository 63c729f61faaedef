import type { MenuItem } from '#shared/kernel/permission.ts'

/** Menus of loans from disbursement onward and of failed disbursements, beside the order list. */
const screen = (
  name: string,
  sort: number,
): Pick<MenuItem, 'name' | 'path' | 'component' | 'parent' | 'title' | 'visible' | 'sort'> => ({
  name,
  path: `/order_management/${name}`,
  component: `order_management/${name}`,
  parent: 'order_management',
  title: `orders:menu.${name}`,
  visible: 0,
  sort,
})

export const DISBURSEMENT_MENU: MenuItem[] = [
  {
    ...screen('loan_list', 10),
    roles: ['director', 'manager', 'customer_service', 'internal_supervisor'],
    actions: {
      transfer: ['director', 'manager', 'customer_service', 'internal_supervisor'],
      export: ['director', 'manager'],
      payout: ['manager'],
      reveal: ['manager'],
    },
    alsoShows: ['wait_relent:redisburse', 'wait_relent:cancel', 'wait_relent:handle'],
  },
  {
    ...screen('wait_relent', 50),
    roles: ['director', 'manager', 'customer_service'],
    actions: {
      redisburse: ['manager'],
      cancel: ['manager'],
      handle: ['manager'],
      export: ['manager'],
      approve: ['director', 'manager'],
    },
  },
]
