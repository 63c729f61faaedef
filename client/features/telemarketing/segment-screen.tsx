/** The list of a segment, with the next customer and the desk beside it. */
import './telemarketing.css'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { lazyPart } from '#client/base/load-part.ts'
import { grantAction } from '#client/features/coupons/public.tsx'
import { revealAction } from '#client/features/customers/public.tsx'
import { opensOrders, useRowLinks } from '#client/features/orders/public.tsx'
import { forRow, linkAction, panelAction, runAction } from '#client/screen/list/list-actions.ts'
import { reads } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import type { ListTools } from '#client/screen/list/list-types.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { withLinks } from '#client/ui/grid/away-cell.ts'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import { ViewChips } from '#client/ui/grid/ViewChips.tsx'
import { ASSIGN_MOST, assignTasks } from '#shared/telemarketing/person-api.ts'
import { claimTask, listTasks, taskOptions } from '#shared/telemarketing/tele-api.ts'
import { TELE_NODE_RUN } from '#shared/telemarketing/tele-live.ts'
import { type Lane, LANES, type Segment } from '#shared/telemarketing/tele-sets.ts'
import { applyTeleEvents, TELE_LIST_EVENTS } from './tele-apply.ts'
import { TELE_COLUMNS } from './tele-columns.ts'
import { TELE_FILTERS as FILTERS, taskInput } from './tele-filters.ts'
import { holdsTask, startTeleLeases, trackTasks } from './tele-lease.ts'
import type { TeleRow } from './tele-types.ts'
import { WatchCoupons } from './WatchCoupons.tsx'
import { orderPath } from '#shared/orders/order-path.ts'

const AssignForm = lazyPart(() =>
  import('./AssignForm.tsx').then((m) => ({ default: m.AssignForm })),
)
// loads the form library, which the list itself does not need
const TaskDrawer = lazyPart(() =>
  import('./TaskDrawer.tsx').then((m) => ({ default: m.TaskDrawer })),
)

/** The pool changes without events to people who see only their own customers. */
const COUNTS_EVERY_MS = 30_000

const coupon = (segment: Segment) =>
  grantAction<TeleRow>([`${segment}:coupon`], ({ userId, userName }) => ({
    userId,
    name: userName,
  }))

/** Beside the list, which keeps its filters. */
function pathOf(taskId: string): string {
  const { pathname, search } = window.location
  const params = new URLSearchParams(search)
  params.set('open', taskId)
  return `${pathname}?${params}`
}

/** All follow-ups of a task, by every author. */
function recordsOf(taskId: string): string {
  const params = new URLSearchParams({ tab: 'records', taskId })
  return `/customer_management/marketing_center/marketing_total?${params}`
}

const openAction = linkAction<TeleRow>({
  id: 'open',
  text: 'action.open',
  icon: 'document',
  path: ({ taskId }) => pathOf(taskId),
})

export function segmentScreen(segment: Segment): () => ReactNode {
  const grantMany = coupon(segment)
  return listScreen({
    endpoint: listTasks,
    rowId: 'taskId',
    texts: ['telemarketing', 'coupons', 'orders', 'calls'],
    menu: segment,
    columns: TELE_COLUMNS[segment],
    useColumns: useTaskLinks,
    filters: FILTERS,
    sort: 'lossTime:desc',
    reads: [reads(taskOptions, {})],
    everyMs: COUNTS_EVERY_MS,
    input: (query, context) => taskInput(segment, query, context),
    live: ({ t, user, filters }, input) => ({
      events: TELE_LIST_EVENTS,
      apply: (rows, events) =>
        applyTeleEvents(
          rows,
          events,
          {
            segment,
            lane: laneOf(filters(FILTERS.kinds)),
            ownOf: user.scope.kind === 'own' ? user.userId : null,
          },
          (key) => t(`leave.${key}`),
        ),
      // with the filters of the list: a task that no longer matches them is not found
      readInput: (taskId) => ({
        ...input,
        segment,
        lane: laneOf(filters(FILTERS.kinds)),
        taskId,
        pageNum: 1,
      }),
      onRows: trackTasks,
      // a run of a node gives many tasks at once, without an event for each
      refreshOn: [TELE_NODE_RUN.type],
      hasCounts: true,
    }),
    buttons: [
      panelAction<null>({
        id: 'distribute',
        endpoint: assignTasks,
        text: 'assign.pool',
        icon: 'share',
        panel: (_, { done, close }) => (
          <AssignForm segment={segment} taskIds={null} onDone={done} onClose={close} />
        ),
      }),
      runAction<null>({
        id: 'next',
        endpoint: claimTask,
        text: 'action.next',
        icon: 'play',
        intent: 'primary',
        keys: 'N',
        run: (_, tools) => takeNext(segment, tools),
      }),
    ],
    actions: [
      openAction,
      runAction<TeleRow>({
        id: 'claim',
        endpoint: claimTask,
        text: 'action.claim',
        icon: 'take-action',
        when: ({ state }) => state === 'waiting',
        async run({ taskId }, { send, goTo, takeRow }) {
          const row = await send(claimTask, { segment, taskId })
          takeRow(row)
          goTo(pathOf(taskId))
        },
      }),
      forRow(grantMany, { when: ({ state }) => state !== 'converted' && state !== 'expired' }),
      linkAction<TeleRow>({
        id: 'records',
        text: 'action.records',
        icon: 'history',
        menu: 'marketing_total',
        path: ({ taskId }) => recordsOf(taskId),
      }),
      revealAction<TeleRow>('action.revealPhone', ({ userId, userName, phone }) => ({
        userId,
        name: userName,
        field: { name: 'phone', value: phone },
      })),
    ],
    bulk: [
      panelAction<readonly TeleRow[]>({
        id: 'assign',
        endpoint: assignTasks,
        text: 'assign.chosen',
        icon: 'new-person',
        panel: (rows, { done, close }) => (
          <AssignForm
            segment={segment}
            taskIds={rows.map(({ taskId }) => taskId)}
            onDone={done}
            onClose={close}
          />
        ),
      }),
      grantMany,
    ],
    most: ASSIGN_MOST,
    open: 'open',
    empty: 'list.none',
    emptyHint: ({ t, user }) => (user.scope.kind === 'own' ? t('list.claimHint') : null),
    toolbar: ({ t, filters, setFilters }, answer) => (
      <>
        <ViewChips
          views={LANES}
          chosen={laneOf(filters(FILTERS.kinds))}
          textOf={(lane) => t(`lane.${lane}`)}
          onChoose={(lane) => setFilters({ lane: lane === 'open' ? undefined : lane })}
        />
        {answer && (
          <span className="tele-counts tabular">
            {(['waiting', 'mine', 'due', 'convertedToday'] as const).map((name) => (
              <span key={name}>
                {t(`count.${name}`)} <strong>{answer.counts[name]}</strong>
              </span>
            ))}
          </span>
        )}
      </>
    ),
    around: (rows, tools) => (
      <>
        {rows}
        <OpenTask segment={segment} onRow={tools.takeRow} onNext={() => takeNext(segment, tools)} />
      </>
    ),
  })
}

/**
 * Opens the next customer: the one still claimed without a follow-up, else one whose follow-up is
 * due, else one of the pool.
 */
async function takeNext(
  segment: Segment,
  { t, send, goTo, refetch, notify }: ListTools,
): Promise<void> {
  const row = await send(claimTask, { segment, dueFirst: true })
  if (holdsTask(row.taskId)) notify(t('done.stillClaimed', { name: row.userName }), 'warning')
  trackTasks([row])
  refetch()
  goTo(pathOf(row.taskId))
}

/** Links to the customer, and to the order the segment is about. */
function useTaskLinks(
  columns: readonly GridColumn<TeleRow>[],
  from: string,
): readonly GridColumn<TeleRow>[] {
  const { index } = useSession()
  const linked = useMemo(
    () =>
      opensOrders(index)
        ? withLinks(columns, {
            orderId: ({ lastOrderId }) => (lastOrderId ? orderPath(lastOrderId, from) : ''),
          })
        : columns,
    [index, columns, from],
  )
  return useRowLinks(linked, from)
}

function laneOf({ lane }: { lane?: unknown }): Lane {
  return LANES.find((known) => known === lane) ?? 'open'
}

/** The task that `?open=` in the address names. */
function OpenTask({
  segment,
  onRow,
  onNext,
}: {
  segment: Segment
  onRow: (row: TeleRow) => void
  onNext: () => Promise<void>
}): ReactNode {
  const { user } = useSession()
  useNextKey(segment, onNext)
  const [params, setParams] = useSearchParams()
  const openId = params.get('open')
  useEffect(() => startTeleLeases(user.userId, segment), [user.userId, segment])
  const close = () =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      next.delete('open')
      return next
    })
  useFocusAfter(openId !== null)
  return (
    <>
      <WatchCoupons />
      {openId === null ? null : (
        <TaskDrawer key={openId} taskId={openId} onRow={onRow} onClose={close} />
      )}
    </>
  )
}

/** Opened by a key, a drawer has nothing to return the focus to: it goes on at the list. */
function useFocusAfter(isOpen: boolean): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (!isOpen && wasOpen.current)
      requestAnimationFrame(() => {
        if (document.activeElement === document.body)
          document.getElementById('content')?.focus({ preventScroll: true })
      })
    wasOpen.current = isOpen
  }, [isOpen])
}

function useNextKey(segment: Segment, onNext: () => Promise<void>): void {
  const mayClaim = usePermission([`${segment}:follow`])
  const { reason: offline } = useConnection()
  const isClaiming = useRef(false)
  async function claim(): Promise<void> {
    isClaiming.current = true
    // the call shows why it was refused
    await onNext().catch(() => undefined)
    isClaiming.current = false
  }
  useShortcuts(
    'screen',
    mayClaim
      ? [
          {
            id: 'tele-next',
            code: 'KeyN',
            labelKey: 'telemarketing:action.next',
            when: () => offline === null && !isClaiming.current,
            run: () => void claim(),
          },
        ]
      : [],
  )
}
