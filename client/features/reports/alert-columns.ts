/** Columns of the limits of daily figures. */
import type { RowOf } from '#client/screen/list/list-types.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import { statusColumn, textColumn, timeColumn, wordColumn } from '#client/ui/grid/grid-columns.ts'
import { valueText } from '#client/ui/chart/value-text.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { type listAlerts } from '#shared/reports/alerts-api.ts'
import { MEASURES } from '#shared/reports/measures.ts'

export type Alert = RowOf<typeof listAlerts>

const title = (name: string) => `reports:alert.${name}`

export const ALERT_COLUMNS: readonly GridColumn<Alert>[] = [
  wordColumn<Alert>({
    id: 'measure',
    title: title('measure'),
    width: 190,
    sort: 'measure',
    pin: 'left',
    word: (measure, { t }) => t(`reports:measure.${measure}`),
  }),
  wordColumn<Alert>({
    id: 'kind',
    title: title('kind'),
    width: 260,
    word: (kind, { t }) => t(`reports:alert.kinds.${kind}`),
  }),
  textColumn<Alert>({
    id: 'threshold',
    title: title('threshold'),
    width: 140,
    align: 'right',
    value: ({ threshold }) => threshold,
    text: ({ threshold, kind, measure }) =>
      valueText(threshold, kind === 'change' ? 'percent' : MEASURES[measure].unit),
  }),
  textColumn<Alert>({ id: 'appName', title: 'reports:filter.app', width: 130 }),
  textColumn<Alert>({ id: 'channelName', title: 'reports:filter.channel', width: 150 }),
  textColumn<Alert>({
    id: 'told',
    title: title('told'),
    width: 220,
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
    text: ({ lastDay, lastValue, measure }, { language }) =>
      lastDay === null
        ? '—'
        : `${formatIst(lastDay, 'nearDay', language)} · ${valueText(lastValue, MEASURES[measure].unit)}`,
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
