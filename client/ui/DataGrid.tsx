/**
 * The list of the console: one page of rows from the server, live patches in place, everything by keyboard. The screen
 * gives columns (module scope), the query and the view from the address; rows move only when nobody is looking at them.
 */
import './grid.css'
import { Button } from '@blueprintjs/core'
import type {
  CellClickedEvent,
  CellDoubleClickedEvent,
  CellKeyDownEvent,
  ColumnMovedEvent,
  ColumnResizedEvent,
  GetLocaleTextParams,
  GetRowIdParams,
  GridApi,
  RowClassParams,
  SelectionChangedEvent,
  SortChangedEvent,
} from 'ag-grid-community'
import {
  type ReactNode,
  type Ref,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { readColumns, subscribeColumns, writeColumns } from './column-store.ts'
import { Empty } from './Empty.tsx'
import { failureText } from './failure.ts'
import { AllMatching, GridBar } from './GridBar.tsx'
import { GridFooter } from './GridFooter.tsx'
import { GridMenu, type RowAction } from './GridMenu.tsx'
import {
  bindGrid,
  followSelection,
  FRAME_MS,
  type GridBinding,
  showSelection,
  takeSelection,
} from './grid-binding.ts'
import type { GridTools } from './grid-cells.ts'
import type { GridColumn } from './grid-columns.ts'
import { copyRows } from './grid-copy.ts'
import { exportColumns, idField } from './grid-export.ts'
import { columnDefs, PRESENCE_COLUMN, presetsOf, SELECTION_COLUMN } from './grid-defs.ts'
import { keepKeys, onGridKey } from './grid-keys.ts'
import { gridActions, gridKeys } from './grid-offers.ts'
import { AgGridReact, gridTheme, styleNonce } from './grid-modules.ts'
import { GridSlotsContext } from './grid-slots.ts'
import {
  columnsAfterMove,
  columnsAfterResize,
  type GridHandle,
  gridHandle,
  sortOf,
} from './grid-state.ts'
import type { FilterKinds, GridView } from './grid-url.ts'
import { copyText } from './copy.ts'
import { useOffer } from './offers.ts'
import { type GridQuery, type LiveRows, useLiveRows } from './useLiveRows.ts'
import type { ChosenRows, GridSelection } from './useGridSelection.ts'
import type { GridUrlState } from './useGridUrlState.ts'

export interface DataGridProps<Row extends object> {
  /** Name of the list (menu): the person's columns are kept under it. */
  id: string
  /** What the list is, for screen readers. */
  label: string
  columns: readonly GridColumn<Row>[]
  query: GridQuery<Row>
  getRowId: (row: Row) => string
  getVersion?: (row: Row) => number
  view: GridView
  onView: (change: Partial<GridView>) => void
  /** From `useLiveRows`, when the screen pushes events; else the list keeps its own. */
  live?: LiveRows<Row>
  selection?: GridSelection<Row>
  onOpen?: (row: Row, newWindow: boolean) => void
  /** The row shown in a panel: marked, and it never vanishes. */
  openId?: string | null
  rowActions?: (row: Row) => readonly RowAction[]
  /** What can be done with the chosen rows. */
  bulkBar?: (chosen: ChosenRows<Row>) => ReactNode
  /** Space on a row is a key of the screen, which shows the row beside the list; it selects nothing then. */
  peeks?: boolean
  presence?: (row: Row) => readonly PresenceMember[]
  /** Rows whose action waits for the server. */
  busyIds?: ReadonlySet<string>
  /** What narrows the list: an empty one says so then, and offers to clear it. */
  filters?: Pick<GridUrlState<FilterKinds>, 'activeFilters' | 'resetFilters'>
  /** Why nothing can fit the filters. */
  fault?: string | undefined
  /** Why there is nothing at all. */
  emptyReason?: { text: string; hint?: string; action?: { text: string; onClick: () => void } }
  /** Left part of the bar: saved views, chips, buttons of the page. */
  toolbar?: ReactNode
  ref?: Ref<GridHandle<Row>>
}

const NO_MEMBERS: readonly PresenceMember[] = []
const AVATARS_MS = 250
const NO_IDS: ReadonlySet<string> = new Set()
const SKELETON_ROWS = 12

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
  const { t, i18n } = useTranslation(['ui', 'grid'])
  const own = useLiveRows<Row>({
    query,
    getRowId,
    getVersion: props.getVersion,
    viewKey: `${view.page} ${view.pageSize} ${JSON.stringify(view.sort)}`,
    openId,
  })
  const live = props.live ?? own
  const [api, setApi] = useState<GridApi<Row> | null>(null)
  const [menu, setMenu] = useState<{
    row: Row
    at: { x: number; y: number }
    from: Element | null
  } | null>(null)
  const latest = useRef({ props, live })
  const binding = useRef<GridBinding | null>(null)
  const body = useRef<HTMLDivElement>(null)
  const columnState = useSyncExternalStore(subscribeColumns, () => readColumns(id))
  const reduced = useMemo(
    () =>
      window.matchMedia('(prefers-reduced-motion: reduce)').matches ||
      document.documentElement.dataset.motion === 'off',
    [],
  )

  const { language } = i18n
  const tools = useMemo<GridTools>(
    () => ({
      t: (key, params) => String(i18n.t(key, params as never)),
      language,
      presence: (row) => latest.current.props.presence?.(row as Row) ?? NO_MEMBERS,
      leavingReason: (rowId) => latest.current.live.store.view().leaving.get(rowId)?.reason ?? null,
      openMenu: (row, at) => setMenu({ row: row as Row, at, from: document.activeElement }),
      peeks: () => latest.current.props.peeks === true,
    }),
    [i18n, language],
  )
  const hasPresence = presence !== undefined
  const hasMenu = props.rowActions !== undefined
  const defs = useMemo(
    () =>
      columnDefs<Row>({
        columns,
        state: columnState,
        sort: view.sort,
        tools,
        withPresence: hasPresence,
        withMenu: hasMenu,
        isWorse: (row, column) => binding.current?.isWorse(row, column) ?? false,
      }),
    [columns, columnState, view.sort, tools, hasPresence, hasMenu],
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
  usePresenceRefresh(api, presence)
  useEffect(() => {
    // Another language brings another grid: until it is ready, `api` is the one that went.
    if (api && !api.isDestroyed()) api.setGridAriaProperty('label', label)
  }, [api, label])
  useMarkedRows(api, openId, busyIds)

  const open = useCallback(
    (row: Row, newWindow: boolean) => latest.current.props.onOpen?.(row, newWindow),
    [],
  )
  const { Export, Views } = useContext(GridSlotsContext)
  /** Of a file: what is shown, in the order it stands here. */
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
  const onKey = useCallback(
    (event: CellKeyDownEvent<Row>) =>
      onGridKey(event, {
        open,
        copyCell,
        copyRows: (rows) =>
          void copyText(copyRows(rows, latest.current.props.columns, event.api, tools)),
        menu: (row, at) =>
          latest.current.props.rowActions && setMenu({ row, at, from: document.activeElement }),
      }),
    [open, copyCell, tools],
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
        say: (key) => t(key),
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
  const onClick = useCallback(
    (event: CellClickedEvent<Row>) => {
      const mouse = event.event as MouseEvent
      if (!event.data || !(mouse.target as HTMLElement).closest('[data-open]')) return
      open(event.data, mouse.ctrlKey || mouse.metaKey)
    },
    [open],
  )
  useImperativeHandle(
    props.ref,
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

  const rows = live.order.length
  const firstLoad = query.rows === undefined && !query.error
  const empty = !firstLoad && !query.isFetching && !query.error && rows === 0
  /** Of a row that is shown the newest is taken. */
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
        views={
          Views ? (
            <Suspense fallback={null}>
              <Views list={id} />
            </Suspense>
          ) : null
        }
        exporter={
          Export && query.source ? (
            <Suspense fallback={null}>
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
            </Suspense>
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
      {query.error ? (
        <div className="grid-error" role="alert">
          {t('grid.failed', { why: failureText(query.error) })}
          <Button
            size="small"
            icon="refresh"
            text={t('grid.retry')}
            onClick={live.refresh}
            data-shortcut="KeyR"
          />
        </div>
      ) : null}
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
        <AgGridReact<Row>
          // Texts of the grid itself are read once.
          key={i18n.language}
          theme={gridTheme}
          styleNonce={styleNonce()}
          columnDefs={defs}
          defaultColDef={DEFAULT_COLUMN}
          context={tools}
          getRowId={({ data }: GetRowIdParams<Row>) => getRowId(data)}
          getLocaleText={({ key, defaultValue }: GetLocaleTextParams<Row>) =>
            String(i18n.t(`grid:ag.${key}` as never, { defaultValue } as never))
          }
          rowClassRules={ROW_CLASSES}
          getRowClass={({ node }: RowClassParams<Row>) =>
            node.id !== undefined && node.id === latest.current.props.openId
              ? 'is-open'
              : node.id !== undefined && latest.current.props.busyIds?.has(node.id)
                ? 'is-busy'
                : undefined
          }
          rowSelection={selection ? ROW_SELECTION : undefined}
          selectionColumnDef={SELECTION_COLUMN}
          asyncTransactionWaitMillis={FRAME_MS}
          cellFlashDuration={reduced ? 2000 : 500}
          cellFadeDuration={reduced ? 0 : 700}
          ensureDomOrder
          animateRows={false}
          suppressNoRowsOverlay
          loading={false}
          multiSortKey="ctrl"
          tabToNextCell={() => false}
          tabToNextHeader={() => false}
          tooltipShowDelay={500}
          enableBrowserTooltips
          suppressColumnVirtualisation={columns.length < 16}
          onGridReady={(event) => setApi(event.api)}
          onGridPreDestroyed={() => setApi(null)}
          onCellKeyDown={(event) => onKey(event as CellKeyDownEvent<Row>)}
          onCellClicked={onClick}
          onCellDoubleClicked={(event: CellDoubleClickedEvent<Row>) =>
            event.data && open(event.data, false)
          }
          onCellContextMenu={(event) => {
            if (!event.data || !latest.current.props.rowActions) return
            const mouse = event.event as MouseEvent
            mouse.preventDefault()
            setMenu({
              row: event.data,
              at: { x: mouse.clientX, y: mouse.clientY },
              from: document.activeElement,
            })
          }}
          onSelectionChanged={(event: SelectionChangedEvent<Row>) =>
            USER_SELECTS.has(event.source) && takeBoxes()
          }
          onSortChanged={(event: SortChangedEvent<Row>) =>
            event.source === 'uiColumnSorted' &&
            onView({ sort: sortOf(event.api, columns), page: 1 })
          }
          onColumnMoved={(event: ColumnMovedEvent<Row>) =>
            event.finished &&
            event.source === 'uiColumnMoved' &&
            writeColumns(id, columnsAfterMove(event.api, columns, columnState))
          }
          onColumnResized={(event: ColumnResizedEvent<Row>) =>
            event.finished &&
            event.source === 'uiColumnResized' &&
            writeColumns(id, columnsAfterResize(event.api, columns, columnState))
          }
        />
        {firstLoad && (
          <div className="grid-skeleton" role="status" aria-label={t('grid.loading')}>
            {Array.from({ length: SKELETON_ROWS }, (_, i) => (
              <span key={i} className="bp6-skeleton" />
            ))}
          </div>
        )}
        {empty && (
          <div className="grid-empty">
            {filters !== undefined && filters.activeFilters > 0 ? (
              <Empty
                reason={t('grid.noMatch')}
                hint={props.fault ?? (query.hasNoId ? t('grid.noId') : undefined)}
                action={{ text: t('filter.clearAll'), onClick: filters.resetFilters }}
              />
            ) : (
              <Empty
                reason={props.emptyReason?.text ?? t('grid.empty')}
                hint={props.emptyReason?.hint}
                action={props.emptyReason?.action}
              />
            )}
          </div>
        )}
      </div>
      <GridFooter
        view={view}
        onView={onView}
        shown={rows}
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

/** The texts that stand under a key of a locale file, by their last part. */
function setOfWords(
  i18n: {
    language: string
    getResource: (language: string, namespace: string, key: string) => unknown
  },
  key: string,
): readonly string[] {
  const at = key.indexOf(':')
  const found = i18n.getResource(i18n.language, key.slice(0, at), key.slice(at + 1))
  return typeof found === 'object' && found !== null ? Object.keys(found) : []
}

const DEFAULT_COLUMN = { suppressKeyboardEvent: keepKeys }
const ROW_SELECTION = {
  mode: 'multiRow',
  checkboxes: true,
  headerCheckbox: true,
  enableClickSelection: false,
} as const
const ROW_CLASSES = {
  'is-leaving': ({ node, context }: RowClassParams) =>
    (context as GridTools).leavingReason(node.id ?? '') !== null,
}
/** Only what a person does to the boxes; the grid also tells about rows that come and go. */
const USER_SELECTS: ReadonlySet<string> = new Set([
  'uiSelectAll',
  'uiSelectAllFiltered',
  'uiSelectAllCurrentPage',
  'rowClicked',
  'checkboxSelected',
  'spaceKey',
  'keyboardEvent',
  'keyboardSelectAll',
])

/** The class of a row is asked when it is drawn: the rows that were or are marked are drawn again. */
function useMarkedRows<Row>(
  api: GridApi<Row> | null,
  openId: string | null,
  busyIds: ReadonlySet<string> = NO_IDS,
): void {
  const before = useRef({ openId, busyIds })
  useEffect(() => {
    const ids = new Set([before.current.openId, openId, ...before.current.busyIds, ...busyIds])
    before.current = { openId, busyIds }
    const rowNodes = [...ids].flatMap((id) => (id === null ? [] : (api?.getRowNode(id) ?? [])))
    if (rowNodes.length) api?.redrawRows({ rowNodes })
  }, [api, openId, busyIds])
}

/** Another page or sort starts at its first row, once its rows are there. */
function useTopOfPage<Row>(
  api: GridApi<Row> | null,
  view: GridView,
  order: readonly string[],
): void {
  const shown = useRef({ view, order })
  useEffect(() => {
    const { view: before, order: old } = shown.current
    if (order === old) return
    shown.current = { view, order }
    if (
      api &&
      order.length > 0 &&
      (before.page !== view.page || before.pageSize !== view.pageSize || before.sort !== view.sort)
    )
      api.ensureIndexVisible(0, 'top')
  }, [api, view, order])
}

/** Avatars change often; four times a second is enough, and only their column is drawn. */
function usePresenceRefresh<Row>(api: GridApi<Row> | null, presence: unknown): void {
  useEffect(() => {
    if (!api || !presence) return
    const timer = setTimeout(
      () => api.refreshCells({ columns: [PRESENCE_COLUMN], force: true, suppressFlash: true }),
      AVATARS_MS,
    )
    return () => clearTimeout(timer)
  }, [api, presence])
}
