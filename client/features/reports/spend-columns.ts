/** Columns of the entries of advertising spend. */
import type { RowOf } from '#client/screen/list/list-types.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  dayColumn,
  integerColumn,
  moneyColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { listSpend } from '#shared/reports/delivery-api.ts'

export type Spend = RowOf<typeof listSpend>

const title = (name: string) => `reports:measure.${name}`

export const SPEND_COLUMNS: readonly GridColumn<Spend>[] = [
  dayColumn<Spend>({ id: 'date', title: title('day'), width: 130, sort: 'date', pin: 'left' }),
  textColumn<Spend>({
    id: 'channelName',
    title: title('channelName'),
    width: 170,
    sort: 'channelName',
  }),
  textColumn<Spend>({ id: 'campaign', title: title('campaign'), width: 200, sort: 'campaign' }),
  moneyColumn<Spend>({ id: 'spend', title: title('spend'), width: 140, sort: 'spend' }),
  integerColumn<Spend>({ id: 'impressions', title: title('impressions'), width: 140 }),
  integerColumn<Spend>({ id: 'clicks', title: title('clicks'), width: 120 }),
  textColumn<Spend>({ id: 'updatedBy', title: title('updatedBy'), width: 160 }),
  timeColumn<Spend>({
    id: 'updatedTime',
    title: title('updatedTime'),
    width: 180,
    sort: 'updatedTime',
  }),
]
