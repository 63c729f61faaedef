/** The list of instalments: amount, due day and borrower. */
import '../repayments.css'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { reads } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listPlans, planOptions } from '#shared/repayments/repayments-api.ts'
import { PLAN_COLUMNS } from './money-columns.ts'
import { applyPlanEvents, PLAN_LIST_EVENTS } from './payment-apply.ts'
import { planActions } from './plan-actions.tsx'
import { PLAN_FILTERS, planFields, planInput } from './plan-filters.ts'
import { PlanViews } from './PlanViews.tsx'

export const Screen = listScreen({
  endpoint: listPlans,
  rowId: 'planId',
  texts: ['repayments'],
  columns: ({ isWide }) => PLAN_COLUMNS[isWide ? 'wide' : 'narrow'],
  useColumns: useRowLinks,
  filters: { kinds: PLAN_FILTERS, fields: ({ t, read }) => planFields(t, read(planOptions)) },
  input(asked, { t }) {
    const { input, fault } = planInput(asked)
    return fault === null ? input : t(`fault.filter.${fault}`)
  },
  reads: [reads(planOptions, {})],
  live: ({ t, filters }) => ({
    events: PLAN_LIST_EVENTS,
    apply(rows, events) {
      const chosen = filters(PLAN_FILTERS)
      const { ask, ...applied } = applyPlanEvents(rows, events, chosen, t('list.left'))
      return { ...applied, needsRefetch: ask }
    },
  }),
  actions: planActions,
  open: 'open',
  empty: 'list.noPlans',
  emptyHint: ({ t, seesAll }) => (seesAll ? null : t('list.scope')),
  toolbar: ({ filters, setFilters }) => (
    <PlanViews filters={filters(PLAN_FILTERS)} onChoose={setFilters} />
  ),
})
