/**
 * The list of the console: one page of rows from the server, live patches in place, full keyboard
 * operation. The screen gives columns (module scope), the query and the view from the address; rows
 * move only when nobody uses the list.
 */
import './grid.css'
import type { GridApi } from 'ag-grid-community'
import {
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { i18n, translate } from '#client/base/i18n.ts'
import { usePreferences } from '#client/base/preferences.ts'
import { useLanguage, useText } from '#client/base/use-text.ts'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { readColumns, subscribeColumns, writeColumns } from './column-store.ts'
import type { DataGridProps } from './data-grid-types.ts'
import { AllMatching, GridBar } from './GridBar.tsx'
import { GridFooter } from './GridFooter.tsx'
import { GridMenu } from './GridMenu.tsx'
import { GridEmpty, GridFailure, GridSkeleton } from './GridMessages.tsx'
import { GridRows, type RowMenu } from './GridRows.tsx'
import {
  bindGrid,
  followSelection,
  type GridBinding,
  showSelection,
  takeSelection,
} from './grid-binding.ts'
import type { GridTools } from './grid-cells.ts'
import { copyRows } from './grid-copy.ts'
import { exportColumns, idField, setOfWords } from './grid-export.ts'
import { columnDefs, presetsOf } from './grid-defs.ts'
import { useFrontGrid } from './front-grid.ts'
import { gridActions, gridKeys } from './grid-offers.ts'
import { GridSlotsContext } from './grid-slots.ts'
import { gridHandle } from './grid-state.ts'
import { copyText } from '#client/ui/value/copy.ts'
import { useOffer } from '#client/ui/frame/offers.ts'
import {
  useHoldWhileTyping,
  useMarkedRows,
  usePresenceRefresh,
  useTopOfPage,
} from './use-grid-effects.ts'
import { useLiveRows } from './use-live-rows.ts'
import type { ChosenRows, GridSelection } from './use-grid-selection.ts'

const NO_MEMBERS: readonly PresenceMember[] = []

export function DataGrid<Row extends object>(props: DataGridProps<Row>): ReactNode {
  const {
    id,
    label,
    columns,
    query,
    getRowId,
    view,
    onView,
    selection,
    openId = null,
    presence,
    busyIds,
    filters,
  } = props
  const t = useText('ui', 'grid')
  const language = useLanguage()
  const own = useLiveRows<Row>({
    query,
    getRowId,
    getVersion: props.getVersion,
    viewKey: `${view.page} ${view.pageSize} ${JSON.stringify(view.sort)}`,
    openId,
  })
  const live = props.live ?? own
  const [api, setApi] = useState<GridApi<Row> | null>(null)
  const [menu, setMenu] = useState<RowMenu<Row> | null>(null)
  const latest = useRef({ props, live })
  const binding = useRef<GridBinding | null>(null)
  const body = useRef<HTMLDivElement>(null)
  const columnState = useSyncExternalStore(subscribeColumns, () => readColumns(id))
  const tools = useMemo<GridTools>(
    () => ({
      t: (key, params) => translate(key, params),
      language,
      presence: (row) => latest.current.props.presence?.(row as Row) ?? NO_MEMBERS,
      leavingReason: (rowId) => latest.current.live.store.view().leaving.get(rowId)?.reason ?? null,
      openMenu: (row, at) => setMenu({ row: row as Row, at, from: document.activeElement }),
      peeks: () => latest.current.props.peeks === true,
    }),
    [language],
  )
  const { size } = usePreferences()
  const hasPresence = presence !== undefined
  const hasMenu = props.rowActions !== undefined
  const defs = useMemo(
    () =>
      columnDefs<Row>({
        columns,
        state: columnState,
        sort: view.sort,
        tools,
        size,
        withPresence: hasPresence,
        withMenu: hasMenu,
        isWorse: (row, column) => binding.current?.isWorse(row, column) ?? false,
      }),
    [columns, columnState, view.sort, tools, size, hasPresence, hasMenu],
  )

  useEffect(() => {
    latest.current = { props, live }
  })
  useEffect(() => {
    if (!api) return
    const bound = bindGrid(api, live.store, columns, (row) => latest.current.props.getRowId(row))
    binding.current = bound
    return bound.stop
  }, [api, live.store, columns])
  useEffect(() => {
    if (api && selection) showSelection(api, selection)
  }, [api, selection, live.order])
  const takeBoxes = useCallback(() => {
    const { selection: held } = latest.current.props
    if (api && held) takeSelection(api, held)
  }, [api])
  useEffect(
    () => (body.current ? followSelection(body.current, takeBoxes) : undefined),
    [takeBoxes],
  )
  useEffect(() => live.store.hold('menu', menu !== null), [live.store, menu])
  useTopOfPage(api, view, live.order)
  useHoldWhileTyping(live.store.hold)
  usePresenceRefresh(api, presence)
  useEffect(() => {
    // Another language creates another grid: until it is ready, `api` is the destroyed one.
    if (api && !api.isDestroyed()) api.setGridAriaProperty('label', label)
  }, [api, label])
  useMarkedRows(api, openId, busyIds)

  const open = useCallback(
    (row: Row, newWindow: boolean) => latest.current.props.onOpen?.(row, newWindow),
    [],
  )
  const { Export, Views } = useContext(GridSlotsContext)
  /** For a file: the visible columns, in their order. */
  const fileColumns = () =>
    exportColumns(
      defs.flatMap((def) => columns.find((column) => column.id === def.colId && !def.hide) ?? []),
      tools,
      (key) => setOfWords(i18n, key),
    )
  const chosen =
    selection && !selection.allMatching && selection.ids.size > 0 ? [...selection.ids] : null
  const copyCell = useCallback(
    (row: Row, column: string) => {
      const found = latest.current.props.columns.find((one) => one.id === column)
      if (found) void copyText(found.text(row, tools))
    },
    [tools],
  )
  useOffer(
    gridKeys({
      opens: props.onOpen !== undefined,
      selects: selection !== undefined,
      peeks: props.peeks === true,
      acts: hasMenu,
    }),
    () =>
      gridActions<Row>({
        api,
        openId,
        pending: live.pending.added + live.pending.moved,
        text: t,
        nameOf: (row) => columns[0]?.text(row, tools) || getRowId(row),
        apply: live.apply,
        open: props.onOpen ? (row) => open(row, false) : null,
        copyCell,
        copyRows: (rows) => api && void copyText(copyRows(rows, columns, api, tools)),
        actionsOf: props.rowActions ?? null,
      }),
  )
  const closeMenu = useCallback(
    () =>
      setMenu((now) => {
        // Before the action: a dialog it opens returns the focus to the row.
        if (now?.from instanceof HTMLElement && now.from.isConnected) now.from.focus()
        return null
      }),
    [],
  )
  const handle = useMemo(
    () =>
      gridHandle<Row>(
        () => api,
        () => live.apply(),
        (row, rowId) => {
          const cell = body.current?.querySelector(
            `.ag-row[row-id="${CSS.escape(rowId)}"] .ag-cell`,
          )
          const box = cell?.getBoundingClientRect()
          if (box && latest.current.props.rowActions)
            setMenu({ row, at: { x: box.left + 8, y: box.bottom }, from: document.activeElement })
        },
        takeBoxes,
      ),
    [api, live, takeBoxes],
  )
  useImperativeHandle(props.ref, () => handle, [handle])
  useFrontGrid(body, handle, { hasMenu, hasBulk: props.bulkBar !== undefined })

  const rows = live.order.length
  const firstLoad = query.rows === undefined && !query.error
  const empty = !firstLoad && !query.isFetching && !query.error && rows === 0
  /** The newest version of the row, if it is shown. */
  const chosenRows = (of: GridSelection<Row>): ChosenRows<Row> => {
    const shown = new Map(live.store.rows().map((row) => [getRowId(row), row]))
    const at = of.allMatching
      ? [...shown.values()]
      : [...of.ticked].map(([rowId, row]) => shown.get(rowId) ?? row)
    return { rows: at, allMatching: of.allMatching, take: (use) => of.take(at, use) }
  }
  const pageChosen =
    selection !== undefined &&
    rows > 0 &&
    query.total > rows &&
    live.order.every((rowId) => selection.ids.has(rowId))
  return (
    <section
      className={`grid${query.error ? ' has-failed' : ''}`}
      aria-label={label}
      aria-busy={query.isFetching}
    >
      <GridBar
        toolbar={props.toolbar}
        selection={selection}
        bulkBar={selection && props.bulkBar && (() => props.bulkBar?.(chosenRows(selection)))}
        pending={live.pending}
        onApply={live.apply}
        views={Views ? <Views list={id} /> : null}
        exporter={
          Export && query.source ? (
            <Export
              source={query.source}
              title={label}
              total={query.total}
              totalCapped={query.totalCapped ?? false}
              columns={fileColumns}
              only={() =>
                chosen === null
                  ? null
                  : { field: idField(live.store.rows(), getRowId), ids: chosen }
              }
              chosen={chosen?.length ?? 0}
            />
          ) : null
        }
        columnsMenu={
          <ColumnsMenu
            presets={presetsOf(columns)}
            titles={new Map(columns.map((column) => [column.id, tools.t(column.title)]))}
            state={columnState}
            onChange={(state) => writeColumns(id, state)}
            onOpenChange={(on) => live.store.hold('menu', on)}
          />
        }
        total={query.total}
      />
      {selection && selection.most !== null && (selection.allMatching || pageChosen) && (
        <AllMatching
          selection={selection}
          onPage={rows}
          total={query.total}
          most={selection.most}
        />
      )}
      {query.error ? <GridFailure error={query.error} onRetry={live.refresh} /> : null}
      <div
        ref={body}
        className="grid-body"
        onPointerEnter={() => live.store.hold('pointer', true)}
        onPointerLeave={() => live.store.hold('pointer', false)}
        onFocus={(event) => live.store.hold('focus', event.target.closest('.ag-row') !== null)}
        onBlur={(event) =>
          !event.currentTarget.contains(event.relatedTarget) && live.store.hold('focus', false)
        }
      >
        {query.isFetching && !firstLoad && (
          <div className="grid-progress" role="progressbar" aria-label={t('grid.loading')} />
        )}
        <GridRows<Row>
          list={props}
          latest={latest}
          defs={defs}
          tools={tools}
          columnState={columnState}
          onApi={setApi}
          onMenu={setMenu}
          onSelect={takeBoxes}
          onOpen={open}
          copyCell={copyCell}
        />
        {firstLoad && <GridSkeleton />}
        {empty && (
          <GridEmpty
            filters={filters}
            filterNames={props.filterNames}
            fault={props.fault}
            query={query}
            emptyReason={props.emptyReason}
          />
        )}
      </div>
      <GridFooter
        view={view}
        onView={onView}
        shown={rows}
        isAnswered={query.rows !== undefined}
        total={query.total}
        totalCapped={query.totalCapped ?? false}
        selected={selection?.count(query.total) ?? 0}
        asOf={query.asOf}
        isFetching={query.isFetching}
        onRefresh={live.refresh}
      />
      {menu && props.rowActions && (
        <GridMenu
          actions={props.rowActions(menu.row)}
          at={menu.at}
          label={t('grid.rowActions')}
          onClose={closeMenu}
        />
      )}
    </section>
  )
}
