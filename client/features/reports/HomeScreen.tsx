/** How the business runs today, and how it ran on each day before. */
import { lazyPart } from '#client/base/load-part.ts'
import { filtersOf } from '#client/screen/list/list-filters.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { reportTabs } from '#client/screen/report/report-tabs.tsx'
import type { ReportTile } from '#client/screen/report/report-types.ts'
import { valueText } from '#client/ui/value/value-text.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { homeFigures } from '#shared/reports/home-figures-api.ts'
import { MEASURES } from '#shared/reports/measures.ts'
import { reportChanges } from '#shared/reports/changes-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { HOME_FIGURES } from './report-figures.ts'
import { APP, CHANNEL, OPTIONS } from './report-filters.ts'

const TILES = [
  'registrations',
  'applications',
  'disbursed',
  'disbursedAmount',
  'failedTransfers',
  'receivedAmount',
  'collectedAmount',
  'newTickets',
] as const
const BY_DAY = { name: 'day', field: 'day', isDay: true } as const

const Figures = reportScreen<typeof homeFigures>({
  endpoint: homeFigures,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    { name: 'moneyOutIn', kind: 'bar', measures: ['disbursedAmount', 'receivedAmount'] },
    { name: 'acquisition', kind: 'line', measures: ['registrations', 'applications', 'disbursed'] },
    { name: 'onTime', kind: 'line', measures: ['onTimeRate'] },
    { name: 'overdueMoney', kind: 'bar', measures: ['newOverdueAmount', 'collectedAmount'] },
  ],
  chartWords: 'chart',
  dimensions: [BY_DAY],
  measures: HOME_FIGURES,
  tiles,
  filters: filtersOf({ appId: APP, channelId: CHANNEL }),
  reads: [OPTIONS],
  changes: reportChanges,
  refreshOn: [REPORT_REFRESHED.type],
  hasFullScreen: true,
})

// brings the grid, which the figures do not need
const Limits = lazyPart(() => import('./AlertsScreen.tsx').then((m) => ({ default: m.Screen })))

export const Screen = reportTabs('reports', 'reports:tab', [
  { name: 'daily', Screen: Figures },
  {
    name: 'alerts',
    Screen: () => <Limits />,
  },
])

function tiles({ today, weekAgo }: DataOf<typeof homeFigures>, context: ListContext): ReportTile[] {
  const { t, language } = context
  const days = { dateFrom: today.day, dateTo: today.day }
  return TILES.map((name) => {
    const { unit } = MEASURES[name]
    return {
      label: t(`reports:measure.${name}`),
      value: today[name],
      format: unit,
      help: t(`reports:help.${name}`),
      hint: t('reports:tile.weekAgo', {
        day: formatIst(weekAgo.day, 'nearDay', language),
        value: valueText(weekAgo[name], unit, t),
      }),
      href:
        HOME_FIGURES.find(({ field }) => field === name)?.href?.(today, context, BY_DAY, days) ??
        null,
    }
  })
}
