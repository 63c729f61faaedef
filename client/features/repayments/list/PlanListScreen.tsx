/** What is due, when, from whom (screens.md 4.3). */
import '../repayments.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/shell/use-media.ts'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { listPlans, planOptions } from '#shared/repayments/repayments-api.ts'
import type { PlanRow } from '../payment-types.ts'
import { planPath } from '../payment-words.ts'
import { useSay } from '../use-say.ts'
import { PLAN_COLUMNS } from './money-columns.ts'
import { applyPlanEvents, PLAN_LIST_EVENTS } from './payment-apply.ts'
import { PLAN_FILTERS, planFields, planInput } from './plan-filters.ts'
import { PlanViews } from './PlanViews.tsx'
import { useMoneyList } from './use-money-list.ts'

const MENU = 'repay_plan'
// brings the form library, which the list itself does not need
const WriteOffForm = lazy(() =>
  import('../writeoffs/WriteOffForm.tsx').then((m) => ({ default: m.WriteOffForm })),
)
const LinkForm = lazy(() => import('../forms/LinkForm.tsx').then((m) => ({ default: m.LinkForm })))
const ReduceForm = lazy(() =>
  import('../reductions/ReduceForm.tsx').then((m) => ({ default: m.ReduceForm })),
)
const RepaymentForm = lazy(() =>
  import('../forms/RepaymentForm.tsx').then((m) => ({ default: m.RepaymentForm })),
)

export function Screen(): ReactNode {
  const t = useSay()
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayAdd = usePermission(['repay_record:add'])
  const mayLink = usePermission(['repay_plan:link'])
  const mayReduce = usePermission(['reduce_list:launch'])
  const mayWriteOff = usePermission(['flat_management:launch', 'flat_management:operational'])
  const url = useGridUrlState(PLAN_FILTERS)
  const asked = useMemo(() => planInput(url.input), [url.input])
  const options = useQuery({ ...queryOf(planOptions, {}, { quiet: true }), staleTime: 10 * 60_000 })
  const fields = useMemo(() => planFields(t, options.data), [t, options.data])
  const { query, live } = useMoneyList<typeof listPlans, PlanRow>({
    endpoint: listPlans,
    input: asked.fault === null ? asked.input : null,
    url,
    idName: 'planId',
    events: PLAN_LIST_EVENTS,
    apply: (rows, events) => applyPlanEvents(rows, events, url.filters, t('list.left')),
  })
  const [booking, setBooking] = useState<string | null>(null)
  const [linking, setLinking] = useState<PlanRow | null>(null)
  const [reducing, setReducing] = useState<string | null>(null)
  const [writingOff, setWritingOff] = useState<string | null>(null)
  useWatch('menu', MENU)
  const columns = useRowLinks(PLAN_COLUMNS[wide ? 'wide' : 'narrow'], MENU)

  const open = ({ planId }: PlanRow, newWindow: boolean) => {
    const path = planPath(planId, MENU)
    if (newWindow) window.open(path, '_blank', 'noopener')
    else navigate(path)
  }
  const rowActions = (row: PlanRow): RowAction[] => [
    { id: 'open', text: t('action.open'), icon: 'document', onClick: () => open(row, false) },
    ...(mayAdd
      ? [
          {
            id: 'add',
            text: t('action.add'),
            icon: 'plus',
            disabledReason:
              row.outstanding === 0
                ? t('refused.nothingDue')
                : row.paymentStatus === 'processing'
                  ? t('refused.processing')
                  : offline,
            onClick: () => setBooking(row.orderId),
          } as const,
        ]
      : []),
    ...(mayLink
      ? [
          {
            id: 'link',
            text: t('link.send'),
            icon: 'link',
            disabledReason:
              row.outstanding === 0
                ? t('refused.nothingDue')
                : row.paymentStatus === 'processing'
                  ? t('refused.processing')
                  : offline,
            onClick: () => setLinking(row),
          } as const,
        ]
      : []),
    ...(mayReduce
      ? [
          {
            id: 'reduce',
            text: t('action.reduce'),
            icon: 'arrow-down',
            disabledReason:
              row.outstanding === 0
                ? t('refused.nothingDue')
                : row.overdueDays === 0
                  ? t('refused.notOverdue')
                  : offline,
            onClick: () => setReducing(row.orderId),
          } as const,
        ]
      : []),
    ...(mayWriteOff
      ? [
          {
            id: 'writeOff',
            text: t('action.writeOff'),
            icon: 'confirm',
            disabledReason:
              row.outstanding === 0
                ? t('refused.nothingDue')
                : row.paymentStatus === 'processing'
                  ? t('refused.processing')
                  : offline,
            onClick: () => setWritingOff(row.orderId),
          } as const,
        ]
      : []),
  ]
  return (
    <div className="money-list">
      <h1 className="visually-hidden">{t('menu.repay_plan')}</h1>
      <FilterBar
        fields={fields}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <DataGrid<PlanRow>
        id={MENU}
        label={t('menu.repay_plan')}
        columns={columns}
        query={query}
        live={live}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={rowActions}
        toolbar={<PlanViews filters={url.filters} onChoose={url.setFilters} />}
        filters={url}
        fault={asked.fault ? t(`fault.filter.${asked.fault}`) : undefined}
        emptyReason={{
          text: t('list.noPlans'),
          ...(user.scope.kind === 'all' ? {} : { hint: t('list.scope') }),
        }}
      />
      <Suspense fallback={null}>
        {linking === null ? null : (
          <LinkForm
            planId={linking.planId}
            due={linking.outstanding}
            onClose={() => setLinking(null)}
          />
        )}
        {booking === null ? null : (
          <RepaymentForm orderId={booking} onClose={() => setBooking(null)} />
        )}
        {reducing === null ? null : (
          <ReduceForm orderId={reducing} onClose={() => setReducing(null)} />
        )}
        {writingOff === null ? null : (
          <WriteOffForm orderId={writingOff} onClose={() => setWritingOff(null)} />
        )}
      </Suspense>
    </div>
  )
}

const getRowId = (row: PlanRow) => row.planId
