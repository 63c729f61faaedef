/** Which rules and codes stop applications, and how loans are paid by what let them through. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { riskReport } from '#shared/reports/approve-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { REJECT_CODES } from '#shared/review/reject-reasons.ts'
import { APP, CUSTOMER_CLASS, OPTIONS, PRODUCT } from './report-filters.ts'
import { RISK_FIGURES } from './report-figures.ts'

export const RiskReport = reportScreen<typeof riskReport>({
  endpoint: riskReport,
  texts: ['reports', 'review', 'rules'],
  words: 'measure',
  help: 'help',
  charts: [
    {
      name: 'riskPaid',
      kind: 'bar',
      measures: ['overdueT7Rate', 'overdueT30Rate'],
      of: ['route', 'rule', 'share'],
    },
    {
      name: 'firstDefault',
      kind: 'bar',
      measures: ['firstDefaultRate'],
      of: ['route', 'rule', 'share'],
    },
    { name: 'riskHits', kind: 'bar', measures: ['hits', 'overrides'] },
    { name: 'hitRate', kind: 'bar', measures: ['hitRate'], of: ['rule', 'code'] },
  ],
  chartWords: 'chart',
  dimensions: [
    {
      name: 'route',
      field: 'key',
      word: 'route',
      text: ({ key }, { t }) => t(`reports:route.${key}`),
    },
    {
      name: 'rule',
      field: 'key',
      word: 'rule',
      text: ({ key, name }) => `${key} ${name ?? ''}`,
      tick: ({ key }) => key,
    },
    { name: 'code', field: 'key', word: 'refusalCode', text: codeText, tick: ({ key }) => key },
    { name: 'share', field: 'key', word: 'share', text: shareText },
  ],
  measures: RISK_FIGURES,
  filters: filtersOf({ appId: APP, productId: PRODUCT, customerClass: CUSTOMER_CLASS }),
  days: { first: 60 },
  reads: [OPTIONS],
  refreshOn: [REPORT_REFRESHED.type],
})

type Row = Pick<DataOf<typeof riskReport>['rows'][number], 'key' | 'name'>

/** Codes of rules are made by those who write them and have no text of ours. */
function codeText({ key }: Row, { t }: ListContext): string {
  return REJECT_CODES.some((code) => code === key) ? `${key} ${t(`review:reject.${key}`)}` : key
}

/** The version in force and the one on trial, of each share. */
function shareText({ key, name }: Row, { t }: ListContext): string {
  const side = key.endsWith(':challenger') ? 'challenger' : 'champion'
  return `${name ?? key} · ${t(`rules:trial.side.${side}`)}`
}
