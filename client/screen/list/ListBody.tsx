/** A declared list: its filters, its rows, what can be done and what that opens. */
import { type ReactNode, useRef, useState } from 'react'
import { useAttendance } from '#client/screen/person-column.ts'
import { readMatching } from '#client/screen/read-matching.ts'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import type { GridHandle } from '#client/ui/grid/grid-state.ts'
import { type FilterKinds, formatSort, isEmptyFilter, parseSort } from '#client/ui/grid/grid-url.ts'
import { Attendance } from '#client/ui/grid/staff-cell.ts'
import { type ChosenRows, useGridSelection } from '#client/ui/grid/use-grid-selection.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { listInput } from './list-input.ts'
import type { ListAction, ListContext, ListSpec } from './list-types.ts'
import { useListActions } from './use-list-actions.tsx'
import { useListContext } from './use-list-context.ts'
import { rowsOf } from './use-list-rows.ts'
import { useListTools } from './use-list-tools.ts'
import { useNextRow } from './use-next-row.ts'

export interface ListBodyProps {
  /** Left in the bar above the rows, before the list's own. */
  tabs?: ReactNode
}

/** A list without its page; the access of its endpoint decides who may see it. */
export interface ListPart {
  (props: ListBodyProps): ReactNode
  endpoint?: Endpoint
}

/** @param spec must be a constant of its module */
export function listBody<E extends Endpoint, Row extends object>(spec: ListSpec<E, Row>): ListPart {
  const { filters, bulk = NO_ACTIONS, actions = NO_ACTIONS } = spec
  const menu = menuOf(spec)
  const preset = spec.sort === undefined ? {} : { sort: parseSort(spec.sort) }
  const here = spec.attendance ?? new Attendance()
  const useRows = rowsOf(spec)
  const around = spec.around ?? ((grid: ReactNode) => grid)
  const useColumns = spec.useColumns ?? ((columns) => columns)
  const idOf = (row: Row) => String(row[spec.rowId])
  const { open: openWith, toDo } = spec
  const opening =
    typeof openWith === 'object' ? openWith : actions.find(({ id }) => id === openWith)

  ListBody.endpoint = spec.endpoint as Endpoint
  return ListBody

  function ListBody({ tabs }: ListBodyProps): ReactNode {
    const url = useGridUrlState(filters?.kinds ?? NO_KINDS, preset)
    const context = useListContext(spec.texts, url.filters, spec.reads)
    const { t } = context
    const columns = useColumns(
      typeof spec.columns === 'function' ? spec.columns(context) : spec.columns,
      menu,
    )
    const inputOrFault = useStable(
      inputOf(spec, offeredSort(url.input, columns, spec.sort), context),
    )
    const [follows, setFollows] = useState(false)
    const fault = typeof inputOrFault === 'string' ? inputOrFault : undefined
    const input = typeof inputOrFault === 'string' ? null : inputOrFault
    const rows = useRows({ input, url, context, follows })
    const { query } = rows
    const selection = useGridSelection<Row>(
      JSON.stringify(url.filters),
      () => readMatching(query, idOf),
      spec.most,
    )
    const { tools, drawer, done } = useListTools({
      context,
      menu,
      setFilters: url.setFilters,
      // the rows of an action are rows of this list
      idOf: (row) => idOf(row as Row),
      takeRow: (row) => rows.takeRow(row as Row),
      refetch: rows.refetch,
      show: rows.show,
      unselect: selection.clear,
    })
    const { rowActions, ...desk } = useListActions<Row>({
      actions,
      tools,
      fresh: rows.fresh,
      onDone: done,
    })
    if (desk.isOpen !== follows) setFollows(desk.isOpen)
    useAttendance(here, menu)
    const chosenActions = desk.permitted(typeof bulk === 'function' ? bulk(context) : bulk)
    const opens = opening !== undefined && desk.permitted([opening]).length > 0
    const grid = useRef<GridHandle<Row>>(null)
    useNextRow({
      grid,
      isToDo: toDo && opens ? (row) => toDo(row, tools) : null,
      open: (row) => opening && desk.openWith(opening, row, false),
      onNone() {
        rows.show()
        tools.notify(t('grid:next.none'), 'primary')
      },
    })
    const label = t(spec.label ?? `menu.${menu}`)
    const hint = spec.emptyHint?.(context) ?? null
    const toolbar = spec.toolbar?.(tools, rows.answer)
    const hasBar = Boolean(tabs) || toolbar !== undefined || filters === undefined
    const buttons = (
      <>
        {spec.before?.(tools)}
        {desk.buttonsOf(spec.buttons ?? NO_ACTIONS, null)}
        {desk.buttonsOf(spec.create ? [primary(spec.create)] : NO_ACTIONS, null)}
      </>
    )
    return (
      <>
        {filters && (
          <FilterBar
            fields={filters.fields(context)}
            filters={url.filters}
            onChange={url.setFilters}
            onReset={url.resetFilters}
          >
            {buttons}
          </FilterBar>
        )}
        {around(
          <DataGrid<Row>
            ref={grid}
            id={spec.id ?? menu}
            label={label}
            columns={columns}
            query={query}
            {...(rows.live && { live: rows.live })}
            getRowId={idOf}
            view={url.view}
            onView={url.setView}
            {...(chosenActions.length > 0 && {
              selection,
              bulkBar: (chosen: ChosenRows<Row>) =>
                desk.buttonsOf(chosenActions, chosen.rows, (then) => chosen.take(then)),
            })}
            {...(opening &&
              opens && {
                onOpen: (row: Row, newWindow: boolean) => desk.openWith(opening, row, newWindow),
              })}
            openId={desk.besideId}
            {...(rowActions && { rowActions })}
            filters={url}
            filterNames={namesOf(filters?.fields(context) ?? [], url.filters)}
            fault={fault}
            emptyReason={{ text: t(spec.empty), ...(hint === null ? {} : { hint }) }}
            toolbar={
              hasBar ? (
                <>
                  {tabs}
                  {toolbar}
                  {filters ? null : buttons}
                </>
              ) : undefined
            }
          />,
          tools,
          rows.answer,
        )}
        {desk.dialogs}
        {drawer}
      </>
    )
  }
}

/** Labels of the filters that are set. */
function namesOf(
  fields: readonly { name: string; label: string }[],
  values: Readonly<Record<string, unknown>>,
): string[] {
  return fields.filter(({ name }) => !isEmptyFilter(values[name])).map(({ label }) => label)
}

const NO_ACTIONS: readonly never[] = []
const NO_KINDS: FilterKinds = {}

export function menuOf<E extends Endpoint, Row extends object>(spec: ListSpec<E, Row>): string {
  return spec.menu ?? spec.endpoint.menu ?? ''
}

function inputOf<E extends Endpoint, Row extends object>(
  { endpoint, input }: ListSpec<E, Row>,
  query: Record<string, unknown>,
  context: ListContext,
): InputOf<E> | string {
  return input?.(query, context) ?? listInput(endpoint, query)
}

/** A saved view or an address may name a sort key that the list had once; the call refuses it. */
function offeredSort<Row>(
  input: Record<string, unknown>,
  columns: readonly GridColumn<Row>[],
  preset = '',
): Record<string, unknown> {
  const { sort, ...rest } = input
  if (typeof sort !== 'string') return input
  const own = parseSort(preset)
  const known = parseSort(sort).filter(
    ({ field }) =>
      columns.some((column) => column.sort === field) || own.some((part) => part.field === field),
  )
  return known.length === 0 ? rest : { ...rest, sort: formatSort(known) }
}

function primary(create: ListAction<null>): ListAction<null> {
  return { icon: 'plus', intent: 'primary', ...create }
}

/** The same object for as long as its content is the same. */
function useStable<Value>(value: Value): Value {
  const [kept, keep] = useState(value)
  if (JSON.stringify(kept) === JSON.stringify(value)) return kept
  keep(value)
  return value
}
