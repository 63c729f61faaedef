import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'
import type { Segment } from './tele-sets.ts'

const LEADERS = ['manager', 'group_leader']

const DESKS = [
  'salesman',
  'tele_uncertified',
  'tele_unborrowed',
  'tele_unreborrowed',
  'tele_loanfailed',
]

const group = pagesIn('customer_management', 'telemarketing')
const screen = pagesIn('marketing_center', 'telemarketing', 'customer_management/marketing_center')

/** The lists of customers to bring back; each segment has its own telemarketers. */
export const TELE_MENU: MenuItem[] = [
  {
    ...group('marketing_center', 40),
    component: 'Layout',
    icon: 'phone',
    roles: ['director', ...LEADERS, ...DESKS],
    actions: {},
  },
  segmentMenu('no_certified', 10, 'new-person', 'tele_uncertified'),
  segmentMenu('unrequished', 20, 'send-to', 'tele_unborrowed'),
  segmentMenu('no_relented', 30, 'reset', 'tele_unreborrowed'),
  segmentMenu('loan_failed', 70, 'issue', 'tele_loanfailed'),
  {
    ...screen('ele_person', 40),
    icon: 'mobile-phone',
    roles: ['director', ...LEADERS],
    actions: {
      add: ['manager'],
      edit: LEADERS,
      status: ['manager'],
      allocation: LEADERS,
    },
  },
  {
    ...screen('marketing_total', 50),
    icon: 'star',
    roles: ['director', ...LEADERS, ...DESKS],
    actions: { export: ['director', ...LEADERS] },
  },
  {
    ...screen('marketing_stage', 60),
    icon: 'share',
    alsoShows: ['notice_list:add'],
    roles: ['director', ...LEADERS],
    actions: {
      add: ['manager'],
      edit: ['manager'],
      status: ['manager'],
      run: ['manager'],
      message: ['manager'],
    },
  },
]

function segmentMenu(name: Segment, sort: number, icon: string, own: string): MenuItem {
  const desk = ['group_leader', 'salesman', own]
  return {
    ...screen(name, sort),
    icon,
    roles: ['director', 'manager', ...desk],
    actions: {
      follow: desk,
      call: desk,
      coupon: desk,
      assign: LEADERS,
      reveal: ['manager'],
      export: LEADERS,
    },
  }
}
