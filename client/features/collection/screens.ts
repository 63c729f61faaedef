import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'loaned_management/overdue_stage': () => import('./setup/StagesScreen.tsx'),
  'loaned_management/urge_agencies': () => import('./setup/AgenciesScreen.tsx'),
  'loaned_management/urge_person': () => import('./setup/PersonsScreen.tsx'),
  'loaned_management/urge_schedule': () => import('./setup/ScheduleScreen.tsx'),
  'loaned_management/collect_config': () => import('./rules/RulesScreen.tsx'),
  'order_management/change_case': () => import('./allocation/ChangesScreen.tsx'),
  'loaned_management/pedding_list': () => import('./desk/WorkListScreen.tsx'),
  'loaned_management/peded_list': () => import('./desk/ProcessedScreen.tsx'),
  'loaned_management/urge_performance': () => import('./figures/PerformanceScreen.tsx'),
  'loaned_management/agency_detail': () => import('./figures/AgencyScreen.tsx'),
  'loaned_management/recycle_bill': () => import('./figures/BillsScreen.tsx'),
  'loaned_management/decrease_bill': () => import('./figures/ReductionsScreen.tsx'),
  'loaned_management/stop_collection': () => import('./stops/StopsScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {
  '/detail3': {
    load: () => import('./desk/CaseDetailScreen.tsx'),
    idParam: 'caseId',
    title: 'collection:detail.title',
    menus: ['pedding_list', 'peded_list', 'stop_collection'],
  },
}
