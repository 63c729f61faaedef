/** Visibility, order and pinning of columns; its buttons do the same as dragging. */
import { Button, PopoverNext } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { focusOpened } from '#client/ui/frame/focus-opened.ts'
import {
  type ColumnPreset,
  type ColumnState,
  DEFAULT_COLUMNS,
  moveColumn,
  pinColumn,
  placeColumns,
  toggleColumn,
} from './column-store.ts'

export function ColumnsMenu({
  presets,
  titles,
  state,
  onChange,
  onOpenChange,
}: {
  presets: readonly ColumnPreset[]
  titles: ReadonlyMap<string, string>
  state: ColumnState
  onChange: (state: ColumnState) => void
  onOpenChange?: (open: boolean) => void
}): ReactNode {
  const t = useText('grid')
  const placed = placeColumns(presets, state)
  const content = (
    <div className="columns-menu" ref={focusOpened}>
      <ul>
        {placed.map((column, i) => {
          const title = titles.get(column.id) ?? column.id
          return (
            <li key={column.id}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={!column.hidden}
                  onChange={() => onChange(toggleColumn(presets, state, column.id))}
                />
                <span>{title}</span>
              </label>
              <Button
                variant="minimal"
                size="small"
                icon="arrow-up"
                aria-label={t('columns.up', { title })}
                disabled={i === 0}
                onClick={() => onChange(moveColumn(presets, state, column.id, -1))}
              />
              <Button
                variant="minimal"
                size="small"
                icon="arrow-down"
                aria-label={t('columns.down', { title })}
                disabled={i === placed.length - 1}
                onClick={() => onChange(moveColumn(presets, state, column.id, 1))}
              />
              <Button
                variant="minimal"
                size="small"
                icon="pin"
                active={column.pin !== null}
                aria-label={t(
                  column.pin === 'left'
                    ? 'columns.pinnedLeft'
                    : column.pin === 'right'
                      ? 'columns.pinnedRight'
                      : 'columns.notPinned',
                  { title },
                )}
                title={t(
                  column.pin === 'left'
                    ? 'columns.pinnedLeft'
                    : column.pin === 'right'
                      ? 'columns.pinnedRight'
                      : 'columns.notPinned',
                  { title },
                )}
                onClick={() => onChange(pinColumn(presets, state, column.id))}
              >
                {column.pin === 'left' ? '◧' : column.pin === 'right' ? '◨' : ''}
              </Button>
            </li>
          )
        })}
      </ul>
      <Button icon="reset" text={t('columns.reset')} onClick={() => onChange(DEFAULT_COLUMNS)} />
    </div>
  )
  return (
    <PopoverNext
      content={content}
      placement="bottom-end"
      onOpening={() => onOpenChange?.(true)}
      onClosed={() => onOpenChange?.(false)}
    >
      <Button
        variant="minimal"
        icon="th-list"
        aria-label={t('columns.title')}
        title={t('columns.title')}
      />
    </PopoverNext>
  )
}
