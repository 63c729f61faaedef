/** Outbound lines and who dials from them (screens.md 7.11). */
import '../system.css'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { readMatching } from '#client/session/read-matching.ts'
import { useBulk } from '#client/shell/use-bulk.tsx'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import {
  type GridColumn,
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  wordColumn,
} from '#client/ui/grid-columns.ts'
import { filterInput } from '#client/ui/grid-url.ts'
import { type ChosenRows, useGridSelection } from '#client/ui/useGridSelection.ts'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { COLLECTOR_CHANGED } from '#shared/collection/collection-live.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import {
  bindSeat,
  LINE_KINDS,
  LINE_STATES,
  listLines,
  setLineStatus,
} from '#shared/system/lines-api.ts'
import { useSay } from '../use-say.ts'

export type Line = DataOf<typeof bindSeat>

// Bring the form library, which the list itself does not need.
const LineForm = lazy(() => import('./LineForms.tsx').then((m) => ({ default: m.LineForm })))
const BindForm = lazy(() => import('./LineForms.tsx').then((m) => ({ default: m.BindForm })))

/** From this share of its cap a line is near it. */
const NEAR = 0.9
const title = (name: string) => `system:line.col.${name}`
const COLUMNS: readonly GridColumn<Line>[] = [
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
const FILTERS = {
  number: 'text',
  kind: 'one',
  status: 'one',
  vendorCode: 'text',
  boundTo: 'text',
} as const
type Status = (typeof LINE_STATES)[number]

const getRowId = (row: Line) => row.lineId

export function Screen(): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const mayAdd = usePermission(['phone_manangement:add'])
  const mayEdit = usePermission(['phone_manangement:edit'])
  const maySwitch = usePermission(['phone_manangement:status'])
  const mayBind = usePermission(['phone_manangement:bind'])
  const url = useGridUrlState(FILTERS, { sort: [{ field: 'number', dir: 'asc' }] })
  const input = useMemo<InputOf<typeof listLines>>(
    () => ({ ...url.input, ...filterInput(FILTERS, url.filters) }),
    [url.input, url.filters],
  )
  const list = usePageQuery<typeof listLines, Line>(listLines, input, [
    CONFIG_REFRESHED.type,
    COLLECTOR_CHANGED.type,
  ])
  const selection = useGridSelection<Line>(JSON.stringify(url.filters), () =>
    readMatching(list.query, getRowId),
  )
  const change = useSend(setLineStatus)
  const unbind = useSend(bindSeat)
  const [form, setForm] = useState<Line | 'new' | null>(null)
  const [binding, setBinding] = useState<Line | null>(null)
  const [asking, setAsking] = useState<{
    ids: readonly string[]
    what: Status | 'unbind'
    line: Line | null
  } | null>(null)
  const { run, refused } = useBulk({
    key: 'system',
    onDone: () => {
      selection.clear()
      list.refetch()
    },
  })
  useWatch('menu', 'phone_manangement')

  const rowActions = (row: Line): RowAction[] => [
    ...(mayEdit
      ? [
          {
            id: 'edit',
            text: t('edit'),
            icon: 'edit',
            disabledReason: offline,
            onClick: () => setForm(row),
          } as const,
        ]
      : []),
    ...(mayBind
      ? [
          {
            id: 'bind',
            text: t('line.bind'),
            icon: 'person',
            disabledReason:
              row.status !== 'enabled'
                ? t('line.isOff')
                : row.seatNumber === null
                  ? t('line.noSeat')
                  : offline,
            onClick: () => setBinding(row),
          } as const,
        ]
      : []),
    ...(mayBind && row.boundUserId !== null
      ? [
          {
            id: 'unbind',
            text: t('line.unbind'),
            icon: 'undo',
            disabledReason: offline,
            onClick: () => setAsking({ ids: [row.lineId], what: 'unbind', line: row }),
          } as const,
        ]
      : []),
    ...(maySwitch
      ? LINE_STATES.filter((status) => status !== row.status).map((status, n) => ({
          id: status,
          text: t(`line.to.${status}`),
          icon:
            status === 'enabled'
              ? ('play' as const)
              : status === 'blocked'
                ? ('ban-circle' as const)
                : ('disable' as const),
          separated: n === 0,
          disabledReason:
            status !== 'enabled' && row.boundUserId !== null
              ? t('line.inUse', { name: row.boundName ?? '' })
              : offline,
          onClick: () => setAsking({ ids: [row.lineId], what: status, line: row }),
        }))
      : []),
  ]
  async function act(): Promise<void> {
    if (asking === null) return
    if (asking.what === 'unbind') {
      if (asking.line)
        await unbind
          .mutateAsync({ lineId: asking.line.lineId, version: asking.line.version })
          .finally(list.refetch)
    } else {
      const { what } = asking
      return run(asking.ids, (lineIds) => change.mutateAsync({ lineIds, status: what }))
    }
    void showMessage({ intent: 'success', message: t('saved'), key: 'system' })
  }
  return (
    <div className="system-list">
      <h1 className="visually-hidden">{t('menu.phone_manangement')}</h1>
      <FilterBar
        fields={[
          { name: 'number', kind: 'text', label: t('line.col.number'), place: 'quick' },
          {
            name: 'kind',
            kind: 'one',
            label: t('line.col.kind'),
            place: 'bar',
            options: LINE_KINDS.map((value) => ({ value, label: t(`line.kind.${value}`) })),
          },
          {
            name: 'status',
            kind: 'one',
            label: t('line.col.status'),
            place: 'bar',
            options: LINE_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
          },
          { name: 'vendorCode', kind: 'text', label: t('line.col.vendorCode') },
          { name: 'boundTo', kind: 'text', label: t('line.col.boundName') },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayAdd && (
          <ActionButton
            icon="plus"
            intent="primary"
            text={t('line.add')}
            disabledReason={offline}
            onClick={() => setForm('new')}
          />
        )}
      </FilterBar>
      <DataGrid<Line>
        id="phone_manangement"
        label={t('menu.phone_manangement')}
        columns={COLUMNS}
        query={list.query}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        {...(maySwitch
          ? {
              selection,
              bulkBar: (chosen: ChosenRows<Line>) =>
                LINE_STATES.map((status) => (
                  <ActionButton
                    key={status}
                    text={t(`line.to.${status}`)}
                    disabledReason={offline}
                    onClick={() =>
                      chosen.take((rows) =>
                        setAsking({ ids: rows.map(getRowId), what: status, line: null }),
                      )
                    }
                  />
                )),
            }
          : {})}
        {...(mayEdit ? { onOpen: (row: Line) => setForm(row) } : {})}
        {...(mayEdit || maySwitch || mayBind ? { rowActions } : {})}
        filters={url}
        emptyReason={{ text: t('line.none') }}
      />
      <Suspense fallback={null}>
        {form !== null && (
          <LineForm
            key={form === 'new' ? 'new' : form.lineId}
            line={form === 'new' ? null : form}
            onDone={list.refetch}
            onClose={() => setForm(null)}
          />
        )}
        {binding !== null && (
          <BindForm line={binding} onDone={list.refetch} onClose={() => setBinding(null)} />
        )}
      </Suspense>
      <ConfirmAction
        isOpen={asking !== null}
        intent={asking?.what === 'enabled' ? 'primary' : 'warning'}
        count={asking?.ids.length ?? 0}
        title={t(
          asking?.what === 'unbind' ? 'line.askUnbind' : `line.ask.${asking?.what ?? 'enabled'}`,
          { number: asking?.line?.number ?? '' },
        )}
        confirmText={t(
          asking?.what === 'unbind' ? 'line.unbind' : `line.to.${asking?.what ?? 'enabled'}`,
        )}
        onConfirm={act}
        onClose={() => setAsking(null)}
      >
        {asking?.what === 'unbind' && (
          <p>{t('line.unbindMeans', { name: asking.line?.boundName ?? '' })}</p>
        )}
      </ConfirmAction>
      {refused}
    </div>
  )
}
