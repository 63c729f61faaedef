/** Recovery bills: each payment is credited to the person who had the case at its time. */
import '../collection.css'
import './figures.css'
import { rowLink } from '#client/screen/list/list-actions.ts'
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listBills } from '#shared/collection/figures-api.ts'
import { useAwayLinks } from '../away-links.ts'
import { type Bill, BILL_COLUMNS } from './figure-columns.ts'
import { chosenRange, dayRange, RANGE_FIELDS, UNIT_FIELDS, UNITS } from './figure-filters.ts'
import { FigureSum } from './FigureSum.tsx'
import { casePath } from '#shared/collection/case-path.ts'

const CHANNELS = [1, 2, 3, 4] as const

export const Screen = listScreen({
  endpoint: listBills,
  rowId: 'billId',
  texts: ['collection'],
  columns: BILL_COLUMNS,
  useColumns: useAwayLinks,
  filters: filtersOf({
    orderId: {
      kind: 'text',
      label: 'desk.col.orderId',
      place: 'quick',
      placeholder: 'desk.col.orderId',
    },
    ...RANGE_FIELDS,
    channel: {
      kind: 'one',
      label: 'figures.col.channel',
      options: wordsOf('figures.channel', CHANNELS),
    },
    recordId: { kind: 'text', label: 'figures.col.recordId' },
    ...UNIT_FIELDS,
  }),
  input: (query) => ({ ...listInput(listBills, query), ...dayRange(query) }),
  reads: [UNITS],
  refreshOn: ['repayment.changed'],
  open: rowLink<Bill>({
    menu: 'peded_list',
    path: ({ caseId }) => casePath(caseId, 'peded_list'),
  }),
  empty: 'figures.noBills',
  emptyHint: ({ t }) => t('figures.noneHint'),
  toolbar: (context, answer) => (
    <FigureSum
      inBar
      label={context.t('figures.sum')}
      range={chosenRange(context)}
      parts={
        answer === undefined
          ? null
          : [
              { label: context.t('figures.bills'), count: answer.sum.bills },
              { label: context.t('figures.col.amount'), paise: answer.sum.amount },
              { label: context.t('figures.col.principal'), paise: answer.sum.principal },
              { label: context.t('figures.col.fees'), paise: answer.sum.fees },
              { label: context.t('figures.col.commission'), paise: answer.sum.commission },
            ]
      }
    />
  ),
})
