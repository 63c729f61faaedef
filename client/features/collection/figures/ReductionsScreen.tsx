/** Reduction bills: what each person and unit gave up, against the limits of their role. */
import '../collection.css'
import './figures.css'
import { rowLink } from '#client/screen/list/list-actions.ts'
import { filtersOf, wordsOf } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listReductionBills } from '#shared/collection/figures-api.ts'
import { REDUCTION_STATES } from '#shared/repayments/reduction-sets.ts'
import { useAwayLinks } from '../away-links.ts'
import { REDUCTION_COLUMNS, type ReductionBill } from './figure-columns.ts'
import { chosenRange, dayRange, RANGE_FIELDS, UNIT_FIELDS, UNITS } from './figure-filters.ts'
import { FigureSum } from './FigureSum.tsx'
import { FIGURES_MS } from './use-figures.ts'
import { casePath } from '#shared/collection/case-path.ts'

export const Screen = listScreen({
  endpoint: listReductionBills,
  rowId: 'reduceId',
  texts: ['collection'],
  columns: REDUCTION_COLUMNS,
  useColumns: useAwayLinks,
  filters: filtersOf({
    orderId: {
      kind: 'text',
      label: 'desk.col.orderId',
      place: 'quick',
      placeholder: 'desk.col.orderId',
    },
    ...RANGE_FIELDS,
    state: {
      kind: 'one',
      label: 'desk.col.state',
      place: 'bar',
      options: wordsOf('figures.reduceState', REDUCTION_STATES),
    },
    reduceId: { kind: 'text', label: 'figures.col.reduceId' },
    ...UNIT_FIELDS,
  }),
  input: (query) => ({ ...listInput(listReductionBills, query), ...dayRange(query) }),
  reads: [UNITS],
  everyMs: FIGURES_MS,
  open: rowLink<ReductionBill>({
    menu: 'peded_list',
    path: ({ caseId }) => (caseId === null ? null : casePath(caseId, 'peded_list')),
  }),
  empty: 'figures.noReductions',
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
              { label: context.t('figures.reductions'), count: answer.sum.reductions },
              { label: context.t('figures.col.reduceAmount'), paise: answer.sum.reduceAmount },
              { label: context.t('figures.col.usedAmount'), paise: answer.sum.usedAmount },
              {
                label: context.t('figures.col.recoveredAmount'),
                paise: answer.sum.recoveredAmount,
              },
            ]
      }
    />
  ),
})
