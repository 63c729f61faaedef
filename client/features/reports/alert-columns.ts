/** Columns of the limits of figures. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import { statusColumn, textColumn, timeColumn, wordColumn } from '#client/ui/grid/grid-columns.ts'
import { valueText } from '#client/ui/value/value-text.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { MEASURES } from '#shared/reports/measures.ts'
import { filterText, partText } from './alert-text.ts'
import type { Alert } from './alert-types.ts'

const title = (name: string) => `reports:alert.${name}`

export const ALERT_COLUMNS: readonly GridColumn<Alert>[] = [
  wordColumn<Alert>({
    id: 'report',
    title: title('report'),
    width: 170,
    pin: 'left',
    word: (report, { t }) => t(`reports:alert.reports.${report}`),
  }),
  textColumn<Alert>({
    id: 'measure',
    title: title('measure'),
    width: 220,
    sort: 'measure',
    value: ({ measure }) => measure,
    text: (alert, { t }) =>
      [t(`reports:measure.${alert.measure}`), partText(alert, { t })]
        .filter((one) => one !== '')
        .join(' · '),
  }),
  textColumn<Alert>({
    id: 'filters',
    title: title('only'),
    width: 160,
    value: ({ filters }) => Object.values(filters).join(' '),
    text: (alert, { t }) => filterText(alert, { t }) || t('reports:cohort.all'),
  }),
  wordColumn<Alert>({
    id: 'kind',
    title: title('kind'),
    width: 210,
    word: (kind, { t }) => t(`reports:alert.kinds.${kind}`),
  }),
  textColumn<Alert>({
    id: 'threshold',
    title: title('threshold'),
    width: 130,
    align: 'right',
    value: ({ threshold }) => threshold,
    text: ({ threshold, kind, measure }, { t }) =>
      valueText(threshold, kind === 'change' ? 'percent' : MEASURES[measure].unit, t),
  }),
  textColumn<Alert>({
    id: 'told',
    title: title('told'),
    width: 200,
    value: ({ told }) => told.map(({ userName }) => userName).join(', '),
  }),
  statusColumn<Alert>({
    id: 'state',
    title: title('state'),
    width: 130,
    value: stateOf,
    word: (state, { t }) => t(`reports:alert.states.${state}`),
    tone: (state) => (state === 'crossed' ? 'bad' : state === 'within' ? 'good' : 'neutral'),
  }),
  textColumn<Alert>({
    id: 'lastValue',
    title: title('last'),
    width: 190,
    align: 'right',
    value: ({ lastValue }) => lastValue,
    text: ({ lastDay, lastValue, measure }, { language, t }) =>
      lastDay === null
        ? '—'
        : `${formatIst(lastDay, 'nearDay', language)} · ${valueText(lastValue, MEASURES[measure].unit, t)}`,
  }),
  textColumn<Alert>({ id: 'updatedBy', title: 'reports:measure.updatedBy', width: 150 }),
  timeColumn<Alert>({
    id: 'updatedTime',
    title: 'reports:measure.updatedTime',
    width: 170,
    sort: 'updatedTime',
  }),
]

function stateOf({ isCrossed, lastDay }: Alert): string {
  if (lastDay === null) return 'waiting'
  return isCrossed ? 'crossed' : 'within'
}
