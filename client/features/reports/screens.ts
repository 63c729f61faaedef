import type { DetailRoute, LoadScreen } from '#client/base/feature.ts'

export const screens: Record<string, LoadScreen> = {
  'home_manage/home': () => import('./HomeScreen.tsx'),
  'data_analysis/channel_statistics': () => import('./ChannelScreen.tsx'),
  'data_analysis/process_conversion': () => import('./ProcessScreen.tsx'),
  'data_analysis/approve_conversions': () => import('./ApproveScreen.tsx'),
  'data_analysis/delivery_data': () => import('./DeliveryScreen.tsx'),
  'data_analysis/reloan_report': () => import('./ReloanScreen.tsx'),
  'data_analysis/review_report': () => import('./ReviewScreen.tsx'),
  'data_analysis/repayment_statistics': () => import('./RepaymentScreen.tsx'),
  'data_analysis/graphical_report/Recycling_trend': () => import('./RecyclingTrendScreen.tsx'),
  'data_analysis/graphical_report/Recall_trend': () => import('./RecallTrendScreen.tsx'),
  'data_analysis/graphical_report/Acquisition_trends': () => import('./AcquisitionTrendScreen.tsx'),
  'data_analysis/graphical_report/Lending_trends': () => import('./LendingTrendScreen.tsx'),
}

export const details: Record<string, DetailRoute> = {}
