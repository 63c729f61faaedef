/** What advertising costs, and what comes of it. */
import { lazyPart } from '#client/base/load-part.ts'
import { panelAction } from '#client/screen/list/list-actions.ts'
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { reportTabs } from '#client/screen/report/report-tabs.tsx'
import { reportChanges } from '#shared/reports/changes-api.ts'
import { deliveryReport, enterSpend, listSpend } from '#shared/reports/delivery-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { DELIVERY_FIGURES } from './report-figures.ts'
import { CAMPAIGN, CHANNEL, OPTIONS } from './report-filters.ts'
import { type Spend, SPEND_COLUMNS } from './spend-columns.ts'

// brings the form library, which the report itself does not need
const SpendForm = lazyPart(() => import('./SpendForm.tsx').then((m) => ({ default: m.SpendForm })))

const Report = reportScreen<typeof deliveryReport>({
  endpoint: deliveryReport,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    {
      name: 'cost',
      kind: 'bar',
      measures: ['costPerRegistration', 'costPerDisbursement'],
      of: ['channel', 'day', 'campaign'],
    },
    { name: 'spend', kind: 'bar', measures: ['spend'] },
    {
      name: 'deliveryResults',
      kind: 'bar',
      measures: ['registrations', 'certified', 'disbursed'],
      of: ['channel', 'day', 'campaign'],
    },
    { name: 'clicks', kind: 'bar', measures: ['clicks'] },
  ],
  chartWords: 'chart',
  dimensions: [
    { name: 'channel', field: 'channelName' },
    { name: 'day', field: 'day', isDay: true },
    { name: 'campaign', field: 'campaign' },
  ],
  measures: DELIVERY_FIGURES,
  filters: filtersOf({ channelId: CHANNEL, campaign: CAMPAIGN }),
  reads: [OPTIONS],
  changes: reportChanges,
  refreshOn: [REPORT_REFRESHED.type],
})

const addSpend = panelAction<null>({
  id: 'spend',
  endpoint: enterSpend,
  text: 'spend.enter',
  panel: (_, { done, close }) => <SpendForm entry={null} onDone={done} onClose={close} />,
})

const editSpend = panelAction<Spend>({
  id: 'spend',
  endpoint: enterSpend,
  text: 'spend.edit',
  icon: 'edit',
  panel: (entry, { done, close }) => <SpendForm entry={entry} onDone={done} onClose={close} />,
})

const Entries = listScreen({
  endpoint: listSpend,
  rowId: 'spendId',
  texts: ['reports'],
  columns: SPEND_COLUMNS,
  filters: filtersOf({
    date: { kind: 'day', label: 'measure.day', place: 'bar' },
    channelId: CHANNEL,
    campaign: CAMPAIGN,
  }),
  reads: [OPTIONS],
  sort: 'date:desc',
  refreshOn: [REPORT_REFRESHED.type],
  create: addSpend,
  actions: [editSpend],
  open: 'spend',
  empty: 'spend.none',
})

export const Screen = reportTabs('reports', 'reports:tab', [
  { name: 'delivery', Screen: Report },
  { name: 'spend', Screen: Entries },
])
