/** Columns of the list of lines. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Line } from './line-types.ts'

/** From this share of its cap a line is near it. */
export const NEAR = 0.9
const title = (name: string) => `system:line.col.${name}`
export const LINE_COLUMNS: readonly GridColumn<Line>[] = [
  idColumn<Line>({ id: 'number', title: title('number'), width: 160, sort: 'number', pin: 'left' }),
  wordColumn<Line>({
    id: 'kind',
    title: title('kind'),
    width: 130,
    sort: 'kind',
    word: (kind, { t }) => t(`system:line.kind.${kind}`),
  }),
  textColumn<Line>({
    id: 'vendorCode',
    title: title('vendorCode'),
    width: 130,
    sort: 'vendorCode',
  }),
  textColumn<Line>({
    id: 'seatNumber',
    title: title('seatNumber'),
    width: 110,
    sort: 'seatNumber',
  }),
  textColumn<Line>({ id: 'boundName', title: title('boundName'), width: 170, sort: 'boundName' }),
  integerColumn<Line>({ id: 'concurrency', title: title('concurrency'), width: 120 }),
  integerColumn<Line>({ id: 'dailyCap', title: title('dailyCap'), width: 110, sort: 'dailyCap' }),
  integerColumn<Line>({
    id: 'usedToday',
    title: title('usedToday'),
    width: 120,
    upIsWorse: true,
    className: (row) => (row.usedToday >= row.dailyCap * NEAR ? 'cell-warn' : ''),
  }),
  statusColumn<Line>({
    id: 'status',
    title: title('status'),
    width: 120,
    sort: 'status',
    word: (status, { t }) => t(`system:state.${status}`),
    tone: (status) => (status === 'enabled' ? 'good' : status === 'blocked' ? 'bad' : 'neutral'),
  }),
]
