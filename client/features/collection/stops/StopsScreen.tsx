/** Customers whose collection is suspended (screens.md 5.13). */
import '../collection.css'
import { type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { customerPath } from '#client/features/customers/public.tsx'
import { FileButtons, FilesDialog } from '#client/features/files/public.tsx'
import { proofPath } from '#client/features/repayments/public.tsx'
import { ticketPath } from '#client/features/tickets/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { readMatching } from '#client/session/read-matching.ts'
import { useSession } from '#client/session/session-store.ts'
import { useBulk } from '#client/shell/use-bulk.tsx'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { withLinks } from '#client/ui/away-cell.ts'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { uiNow } from '#client/ui/clock.ts'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { doerWord } from '#client/session/doer-word.ts'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import {
  dayColumn,
  type GridColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid-columns.ts'
import { useGridSelection } from '#client/ui/useGridSelection.ts'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { STOP_REASONS, STOP_STATES } from '#shared/collection/collection-sets.ts'
import { decideStops, listStops, resumeStops, stopFile } from '#shared/collection/stops-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { daysBetween, istDay, istDayEnd, istMidnight } from '#shared/kernel/time.ts'
import { StopForm } from '../desk/CaseForms.tsx'
import type { StopRow } from '../desk/case-types.ts'
import { stopTone } from '../desk/case-words.ts'
import { useSay } from '../use-say.ts'

const title = (name: string) => `collection:stop.col.${name}`
const COLUMNS: readonly GridColumn<StopRow>[] = [
  textColumn<StopRow>({ id: 'stopId', title: title('stopId'), width: 96, pin: 'left' }),
  textColumn<StopRow>({ id: 'userName', title: title('userName'), width: 160 }),
  tagsColumn<StopRow>({ id: 'orderIds', title: title('orderIds'), width: 130 }),
  wordColumn<StopRow>({
    id: 'reason',
    title: title('reason'),
    width: 196,
    word: (reason, { t }) => t(`collection:stopReason.${reason}`),
  }),
  statusColumn<StopRow>({
    id: 'state',
    title: title('state'),
    width: 120,
    word: (state, { t }) => t(`collection:stopState.${state}`),
    tone: stopTone,
  }),
  timeColumn<StopRow>({ id: 'startTime', title: title('startTime'), width: 152 }),
  dayColumn<StopRow>({
    id: 'endTime',
    title: title('endTime'),
    width: 116,
    text: (row, { t, language }) =>
      row.endTime === null ? t('collection:stop.openEnd') : dayText(row.endTime, language),
  }),
  textColumn<StopRow>({
    id: 'left',
    exportKind: 'none',
    title: title('left'),
    width: 108,
    value: (row) => daysLeft(row),
    text: (row, { t }) =>
      daysLeft(row) === null ? '' : t('collection:stop.daysLeft', { days: daysLeft(row) }),
  }),
  textColumn<StopRow>({
    id: 'files',
    exportKind: 'none',
    title: title('files'),
    width: 72,
    align: 'right',
    value: (row) => row.files.length || null,
    text: (row) => (row.files.length === 0 ? '' : String(row.files.length)),
  }),
  textColumn<StopRow>({
    id: 'applyBy',
    title: title('applyBy'),
    width: 150,
    text: (row) => doerWord(row.applyBy),
  }),
  textColumn<StopRow>({ id: 'decideBy', title: title('decideBy'), width: 150 }),
  textColumn<StopRow>({ id: 'remark', title: title('remark'), width: 260 }),
  textColumn<StopRow>({ id: 'ticketId', title: title('ticketId'), width: 110 }),
  textColumn<StopRow>({ id: 'proofId', title: title('proofId'), width: 110 }),
]
/** IST days until it ends, today counted as none; null without an end, or when it is over. */
function daysLeft({ state, endTime }: StopRow): number | null {
  return endTime === null || state !== 'active'
    ? null
    : Math.max(0, daysBetween(istDay(uiNow()), endTime))
}
function dayText(day: string, language: string): string {
  return new Intl.DateTimeFormat(`${language === 'en' ? 'en-IN' : language}-u-ca-gregory-nu-latn`, {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T12:00:00Z`))
}

const FILTERS = {
  userName: 'text',
  userId: 'text',
  orderId: 'text',
  reason: 'one',
  state: 'one',
  start: 'day',
} as const
type Ask = { kind: 'active' | 'rejected' | 'resume'; rows: readonly StopRow[] }

export function Screen(): ReactNode {
  const t = useSay()
  const { user, index } = useSession()
  const [, navigate] = useLocation()
  const { reason: offline } = useConnection()
  const mayAdd = usePermission(['stop_collection:add'])
  const mayDecide = usePermission(['stop_collection:decide'])
  const mayResume = usePermission(['stop_collection:resume'])
  const url = useGridUrlState(FILTERS)
  const input = useMemo(() => listInput(url.input), [url.input])
  const list = usePageQuery<typeof listStops, StopRow>(listStops, input, ['case.stop.changed'])
  const selection = useGridSelection<StopRow>(JSON.stringify(url.filters), () =>
    readMatching(list.query, getRowId),
  )
  const decide = useSend(decideStops)
  const resume = useSend(resumeStops)
  const [adding, setAdding] = useState(false)
  const [asking, setAsking] = useState<Ask | null>(null)
  const [shown, setShown] = useState<StopRow | null>(null)
  const columns = useStopLinks()
  useWatch('menu', 'stop_collection')

  const [customerMenu, caseMenu, ticketMenu] = [
    index.byName.has('info'),
    index.byName.has('pedding_list'),
    index.byName.has('loaned_ticket'),
  ]
  const rowActions = (row: StopRow): RowAction[] => [
    ...(row.files.length > 0
      ? [
          {
            id: 'files',
            text: t('stop.files', { count: row.files.length }),
            icon: 'document',
            onClick: () => setShown(row),
          } as const,
        ]
      : []),
    ...(customerMenu
      ? [
          {
            id: 'customer',
            text: t('stop.openCustomer'),
            icon: 'person',
            onClick: () => navigate(customerPath(row.userId)),
          } as const,
        ]
      : []),
    ...(caseMenu && row.orderIds.length > 0 && row.state === 'active'
      ? [
          {
            id: 'cases',
            text: t('stop.openCases'),
            icon: 'list',
            onClick: () =>
              navigate(
                `/loaned_management/pedding_list?${new URLSearchParams([
                  ['userId', row.userId],
                  ['state', 'held'],
                ])}`,
              ),
          } as const,
        ]
      : []),
    ...(row.ticketId !== null && ticketMenu
      ? [
          {
            id: 'ticket',
            text: t('stop.openTicket'),
            icon: 'comment',
            onClick: () => navigate(ticketPath(row.ticketId ?? '', 'loaned_ticket')),
          } as const,
        ]
      : []),
    ...(mayDecide && row.state === 'pending'
      ? [
          {
            id: 'approve',
            text: t('stop.approve'),
            icon: 'tick',
            disabledReason: offline ?? (row.applyById === user.userId ? t('stop.notOwn') : null),
            onClick: () => setAsking({ kind: 'active', rows: [row] }),
          } as const,
          {
            id: 'reject',
            text: t('stop.reject'),
            icon: 'cross',
            disabledReason: offline ?? (row.applyById === user.userId ? t('stop.notOwn') : null),
            onClick: () => setAsking({ kind: 'rejected', rows: [row] }),
          } as const,
        ]
      : []),
    ...(mayResume && row.state === 'active'
      ? [
          {
            id: 'resume',
            text: t('stop.resume'),
            icon: 'play',
            disabledReason: offline,
            onClick: () => setAsking({ kind: 'resume', rows: [row] }),
          } as const,
        ]
      : []),
  ]
  // who decides one looks at what came with it
  const only = asking?.rows.length === 1 ? asking.rows[0] : undefined
  const filesOf = ({ stopId, userName, files }: StopRow) => ({
    title: t('stop.filesOf', { stopId, userName }),
    files,
    source: { endpoint: stopFile, of: { stopId } },
  })
  const { run, refused } = useBulk({
    key: 'stop',
    onDone: () => {
      selection.clear()
      list.refetch()
    },
  })
  const act = ({ kind, rows }: Ask, text: string) =>
    run(rows.map(getRowId), (stopIds) =>
      kind === 'resume'
        ? resume.mutateAsync({ stopIds, remark: text })
        : decide.mutateAsync({
            stopIds,
            result: kind,
            ...(kind === 'rejected' ? { reason: text } : {}),
          }),
    )
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.stop_collection')}</h1>
      <FilterBar
        fields={[
          {
            name: 'userName',
            kind: 'text',
            label: t('stop.col.userName'),
            place: 'quick',
            placeholder: t('desk.searchName'),
          },
          {
            name: 'state',
            kind: 'one',
            label: t('stop.col.state'),
            place: 'bar',
            options: STOP_STATES.map((value) => ({ value, label: t(`stopState.${value}`) })),
          },
          {
            name: 'reason',
            kind: 'one',
            label: t('stop.col.reason'),
            place: 'bar',
            options: STOP_REASONS.map((value) => ({ value, label: t(`stopReason.${value}`) })),
          },
          { name: 'userId', kind: 'text', label: t('desk.col.userId') },
          { name: 'orderId', kind: 'text', label: t('desk.col.orderId') },
          { name: 'start', kind: 'day', label: t('stop.col.startTime') },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayAdd && (
          <ActionButton
            icon="stop"
            intent="primary"
            text={t('stop.add')}
            disabledReason={offline}
            onClick={() => setAdding(true)}
          />
        )}
      </FilterBar>
      <DataGrid<StopRow>
        id="stop_collection"
        label={t('menu.stop_collection')}
        columns={columns}
        query={list.query}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        rowActions={rowActions}
        {...(mayDecide || mayResume ? { selection } : {})}
        bulkBar={(chosen) => (
          <>
            {mayDecide && (
              <ActionButton
                icon="tick"
                text={t('stop.approve')}
                disabledReason={offline}
                onClick={() => chosen.take((rows) => setAsking({ kind: 'active', rows }))}
              />
            )}
            {mayDecide && (
              <ActionButton
                icon="cross"
                text={t('stop.reject')}
                disabledReason={offline}
                onClick={() => chosen.take((rows) => setAsking({ kind: 'rejected', rows }))}
              />
            )}
            {mayResume && (
              <ActionButton
                icon="play"
                text={t('stop.resume')}
                disabledReason={offline}
                onClick={() => chosen.take((rows) => setAsking({ kind: 'resume', rows }))}
              />
            )}
          </>
        )}
        filters={url}
        emptyReason={{ text: t('stop.none') }}
      />
      {adding && <StopForm userId={null} onDone={list.refetch} onClose={() => setAdding(false)} />}
      {shown && <FilesDialog {...filesOf(shown)} onClose={() => setShown(null)} />}
      <ConfirmAction
        isOpen={asking !== null}
        intent={asking?.kind === 'active' ? 'danger' : 'primary'}
        title={asking === null ? '' : t(`stop.ask.${asking.kind}`)}
        count={asking?.rows.length ?? 0}
        confirmText={
          asking === null
            ? ''
            : t(
                asking.kind === 'active'
                  ? 'stop.approve'
                  : asking.kind === 'rejected'
                    ? 'stop.reject'
                    : 'stop.resume',
              )
        }
        {...(asking?.kind === 'active' ? {} : { reason: { min: 4, max: 200 } })}
        onConfirm={(reason) => (asking === null ? Promise.resolve() : act(asking, reason))}
        onClose={() => setAsking(null)}
      >
        <p>
          {asking?.rows
            .map((row) => row.userName)
            .slice(0, 8)
            .join(', ')}
        </p>
        {asking?.kind === 'active' && <p>{t('stop.consequence')}</p>}
        {only && <FileButtons {...filesOf(only)} />}
      </ConfirmAction>
      {refused}
    </div>
  )
}

const getRowId = (row: StopRow) => row.stopId

/** To the customer, the ticket and the proof, where the role has that page. */
function useStopLinks(): readonly GridColumn<StopRow>[] {
  const { user, index } = useSession()
  const seesAll = user.scope.kind === 'all'
  return useMemo(() => {
    const links: Partial<Record<string, (row: StopRow) => string>> = {
      // without an open case he is a customer of who sees all
      ...(index.byName.has('info') && {
        userName: ({ userId, orderIds }: StopRow) =>
          seesAll || orderIds.length > 0 ? customerPath(userId) : '',
      }),
      ...(index.byName.has('loaned_ticket') && {
        ticketId: ({ ticketId }: StopRow) =>
          ticketId === null ? '' : ticketPath(ticketId, 'loaned_ticket'),
      }),
      ...(index.byName.has('repay_proof') && {
        proofId: ({ proofId }: StopRow) => (proofId === null ? '' : proofPath(proofId)),
      }),
    }
    return withLinks(COLUMNS, links)
  }, [index, seesAll])
}

function listInput(input: Record<string, unknown>): InputOf<typeof listStops> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      name === 'startFrom'
        ? istMidnight(String(value)).toISOString()
        : name === 'startTo'
          ? istDayEnd(String(value)).toISOString()
          : value,
    ]),
  )
}
