import { pagesIn } from '#shared/kernel/menu-page.ts'
import type { MenuItem } from '#shared/kernel/permission.ts'

const LEADS = ['director', 'manager']

/** They see the figures of their own unit. */
const UNIT_LEADS = ['team_leader', 'internal_supervisor', 'external_supervisor']

/** A reviewer sees the own line. */
const REVIEW = ['reviewer', 'quality_inspector']

const overview = pagesIn('home_manage', 'reports')
const page = pagesIn('data_analysis', 'reports')
const trend = pagesIn('graphical_report', 'reports', 'data_analysis/graphical_report')

function readBy(...others: readonly string[]): Pick<MenuItem, 'roles' | 'actions'> {
  return { roles: [...LEADS, ...others], actions: { export: LEADS } }
}

/** Reports. A screen that is not there yet has no line. */
export const REPORTS_MENU: MenuItem[] = [
  {
    name: 'home_manage',
    path: '/home_manage',
    component: 'Layout',
    parent: null,
    title: 'reports:menu.home_manage',
    icon: 'dashboard',
    visible: 0,
    sort: 200,
    actions: {},
    roles: LEADS,
  },
  {
    ...overview('home', 10),
    icon: 'timeline-bar-chart',
    ...readBy(),
    actions: { export: LEADS, alert: LEADS },
  },
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
    roles: [...LEADS, 'group_leader', ...REVIEW, ...UNIT_LEADS],
  },
  { ...page('channel_statistics', 10), icon: 'antenna', ...readBy('group_leader') },
  { ...page('process_conversion', 20), icon: 'horizontal-bar-chart', ...readBy('group_leader') },
  {
    ...page('approve_conversions', 30),
    icon: 'full-stacked-chart',
    ...readBy('quality_inspector'),
  },
  {
    ...page('repayment_statistics', 40),
    icon: 'grouped-bar-chart',
    ...readBy('internal_supervisor'),
  },
  {
    ...page('graphical_report', 50),
    component: 'Layout',
    icon: 'chart',
    actions: {},
    roles: [...LEADS, 'group_leader', ...UNIT_LEADS],
  },
  { ...trend('Acquisition_trends', 51), icon: 'timeline-area-chart', ...readBy('group_leader') },
  { ...trend('Lending_trends', 52), icon: 'step-chart', ...readBy() },
  { ...trend('Recycling_trend', 53), icon: 'regression-chart', ...readBy('internal_supervisor') },
  { ...trend('Recall_trend', 54), icon: 'stacked-chart', ...readBy(...UNIT_LEADS) },
  {
    ...page('delivery_data', 60),
    icon: 'bullseye',
    ...readBy(),
    actions: { export: LEADS, spend: ['manager'] },
  },
  { ...page('reloan_report', 70), icon: 'cycle', ...readBy('group_leader') },
  { ...page('review_report', 80), icon: 'form', ...readBy(...REVIEW) },
]
