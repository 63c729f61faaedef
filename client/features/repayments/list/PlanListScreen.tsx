/** The list of instalments: amount, due day and borrower. */
import '../repayments.css'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { reads } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listPlans, planOptions } from '#shared/repayments/repayments-api.ts'
import { PLAN_COLUMNS } from './money-columns.ts'
import { applyPlanEvents, PLAN_LIST_EVENTS } from './payment-apply.ts'
import { followPayments } from './payment-live.ts'
import { planActions } from './plan-actions.tsx'
import { PLAN_FILTERS, planInput } from './plan-filters.ts'
import { PlanViews } from './PlanViews.tsx'

export const Screen = listScreen({
  endpoint: listPlans,
  rowId: 'planId',
  texts: ['repayments'],
  columns: ({ isWide }) => PLAN_COLUMNS[isWide ? 'wide' : 'narrow'],
  useColumns: useRowLinks,
  filters: PLAN_FILTERS,
  input: planInput,
  reads: [reads(planOptions, {})],
  live: followPayments(PLAN_FILTERS.kinds, PLAN_LIST_EVENTS, applyPlanEvents),
  actions: planActions,
  open: 'open',
  empty: 'list.noPlans',
  emptyHint: ({ t, seesAll }) => (seesAll ? null : t('list.scope')),
  toolbar: ({ filters, setFilters }) => (
    <PlanViews filters={filters(PLAN_FILTERS.kinds)} onChoose={setFilters} />
  ),
})
