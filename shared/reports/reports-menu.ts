import type { MenuItem } from '#shared/kernel/permission.ts'

const LEADS = ['director', 'manager']

const report = (
  name: string,
  sort: number,
  others: readonly string[] = [],
  parent = 'data_analysis',
): MenuItem => {
  const path = parent === 'data_analysis' ? `${parent}/${name}` : `data_analysis/${parent}/${name}`
  return {
    name,
    path: `/${path}`,
    component: path,
    parent,
    title: `reports:menu.${name}`,
    visible: 0,
    sort,
    roles: [...LEADS, ...others],
    actions: { export: LEADS },
  }
}

/** Reports. A screen that is not there yet has no line. */
export const REPORTS_MENU: MenuItem[] = [
  {
    name: 'data_analysis',
    path: '/data_analysis',
    component: 'Layout',
    parent: null,
    title: 'reports:menu.data_analysis',
    icon: 'timeline-line-chart',
    visible: 0,
    sort: 500,
    actions: {},
    roles: [...LEADS, 'group_leader'],
  },
  report('channel_statistics', 10, ['group_leader']),
]
