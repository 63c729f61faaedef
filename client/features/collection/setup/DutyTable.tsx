/** The week of each person, a row each; the selected cells are what a brush paints. */
import './table-resize.ts'
import { HotkeysProvider } from '@blueprintjs/core'
import {
  Cell,
  Column,
  ColumnHeaderCell,
  type Region,
  RowHeaderCell,
  SelectionModes,
  Table,
} from '@blueprintjs/table'
import type { ReactNode, RefObject } from 'react'
import { useLanguage, useText } from '#client/base/use-text.ts'
import type { listSchedule } from '#shared/collection/setup-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { hoursOf, type Week } from './duty-week.ts'

export type Duty = DataOf<typeof listSchedule>['rows'][number]

const ROW_HEIGHT = 30

export function DutyTable({
  body,
  rows,
  weekOf,
  painted,
  days,
  todayAt,
  online,
  regions,
  onRegions,
}: {
  body: RefObject<HTMLDivElement | null>
  rows: readonly Duty[]
  /** The week as it is painted. */
  weekOf: (row: Duty) => Week
  painted: ReadonlyMap<string, Week>
  days: readonly string[]
  /** -1 in another week. */
  todayAt: number
  online: ReadonlySet<string>
  regions: Region[]
  onRegions: (regions: Region[]) => void
}): ReactNode {
  const t = useText('collection')
  const language = useLanguage()
  return (
    <HotkeysProvider>
      <div className="duty-table" ref={body}>
        <Table
          numRows={rows.length}
          minRowHeight={ROW_HEIGHT}
          defaultRowHeight={ROW_HEIGHT}
          columnWidths={[...days.map(() => 112), 72]}
          enableRowHeader
          enableFocusedCell
          enableRowResizing={false}
          enableColumnResizing={false}
          selectionModes={SelectionModes.ALL}
          selectedRegions={regions}
          onSelection={onRegions}
          rowHeaderCellRenderer={(at) => (
            <RowHeaderCell
              className="duty-name"
              nameRenderer={() => (
                <span title={`${rows[at]?.name ?? ''} · ${rows[at]?.groupName ?? ''}`}>
                  {online.has(rows[at]?.userId ?? '') && (
                    <span className="dot dot-online" title={t('ui:presence.online')} />
                  )}
                  {rows[at]?.name} <small>{rows[at]?.groupName}</small>
                </span>
              )}
            />
          )}
          cellRendererDependencies={[rows, painted, language, online]}
        >
          {[
            ...days.map((day, n) => (
              <Column
                key={day}
                columnHeaderCellRenderer={() => (
                  <ColumnHeaderCell
                    className={n === todayAt ? 'duty-today' : ''}
                    name={`${t(`weekday.${n + 1}`)} ${day.slice(8)}`}
                  />
                )}
                cellRenderer={(at) => {
                  const row = rows[at]
                  const shift = row === undefined ? 'off' : (weekOf(row)[n] ?? 'off')
                  const isChanged =
                    row !== undefined && painted.has(row.userId) && row.days[n] !== shift
                  return (
                    <Cell className={`duty-cell shift-${shift} ${isChanged ? 'is-changed' : ''}`}>
                      {t(`shift.${shift}`)}
                    </Cell>
                  )
                }}
              />
            )),
            <Column
              key="hours"
              name={t('setup.hours')}
              cellRenderer={(at) => (
                <Cell className="duty-cell tabular">
                  {rows[at] === undefined ? '' : String(hoursOf(weekOf(rows[at])))}
                </Cell>
              )}
            />,
          ]}
        </Table>
      </div>
    </HotkeysProvider>
  )
}
