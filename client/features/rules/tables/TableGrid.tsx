import './tables.css'
import { Button } from '@blueprintjs/core'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useText } from '#client/base/use-text.ts'
import { namespacesOf } from '#client/screen/conditions/condition-words.ts'
import { OUTPUT_NAMES, TABLE_CATALOGUE } from '#shared/rules/tables/decision-table.ts'
import type { TableFault } from '#shared/rules/tables/table-faults.ts'
import {
  movedColumn,
  movedRow,
  pasted,
  type Place,
  type TableDraft,
  withCell,
  withColumn,
  withoutColumn,
  withoutRow,
  withRow,
} from './table-draft.ts'
import { columnsOf, columnTitle, faultText } from './table-words.ts'

interface GridProps {
  label: string
  draft: TableDraft
  faults: readonly TableFault[]
  onChange: (draft: TableDraft) => void
}

/**
 * A table to edit. Every cell is an input: Tab and the arrows up and down move, Alt with an arrow
 * moves the row or the column, Ctrl+Enter adds a row and Ctrl+Delete removes it.
 */
export function TableGrid({ label, draft, faults, onChange }: GridProps): ReactNode {
  const t = useText('rules', 'conditions', ...namespacesOf(TABLE_CATALOGUE))
  const body = useRef<HTMLTableElement>(null)
  const columns = columnsOf(draft)
  const free = (names: readonly string[]) => names.filter((name) => !columns.includes(name))

  function focus({ row, column }: Place): void {
    body.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)?.focus()
  }

  /** Drawn at once: what is typed next belongs to the new place, however soon it comes. */
  function change(next: TableDraft, to: Place): void {
    flushSync(() => onChange(next))
    focus(to)
  }

  function onKeyDown(event: KeyboardEvent, place: Place): void {
    const { row, column } = place
    const isOwn = (next: TableDraft, to: Place) => {
      event.preventDefault()
      change(next, to)
    }
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.altKey && step) isOwn(movedRow(draft, row, step), { row: row + step, column })
    else if (event.altKey && side)
      isOwn(movedColumn(draft, column, side), { row, column: column + side })
    else if (event.ctrlKey && event.key === 'Enter')
      isOwn(withRow(draft, row), { row: row + 1, column: 0 })
    else if (event.ctrlKey && event.key === 'Delete')
      isOwn(withoutRow(draft, row), { row: Math.max(0, row - 1), column })
    else if (step && !event.shiftKey && !event.ctrlKey) {
      event.preventDefault()
      focus({ row: row + step, column })
    }
  }

  function onPaste(event: ClipboardEvent, place: Place): void {
    const text = event.clipboardData.getData('text/plain')
    // a single value goes where the caret is
    if (!/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    onChange(pasted(draft, place, text))
  }

  return (
    <div className="decision-edit">
      <div className="decision-scroll">
        <table className="decision-table" aria-label={label} ref={body}>
          <thead>
            <tr>
              <th scope="col">{t('table.row')}</th>
              {columns.map((name, column) => (
                <th
                  scope="col"
                  key={name}
                  className={column >= draft.inputs.length ? 'is-output' : undefined}
                >
                  <span className="decision-head">
                    {columnTitle(t, name)}
                    <Button
                      size="small"
                      variant="minimal"
                      icon="cross"
                      aria-label={t('table.removeColumn', { name: columnTitle(t, name) })}
                      onClick={() => onChange(withoutColumn(draft, column))}
                    />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {draft.rows.map(({ id, cells }, row) => (
              <tr key={id} className={isWrong(faults, row, null) ? 'is-wrong' : undefined}>
                <th scope="row">
                  <span className="decision-head">
                    {row + 1}
                    <Button
                      size="small"
                      variant="minimal"
                      icon="trash"
                      tabIndex={-1}
                      aria-label={t('table.removeRow', { n: row + 1 })}
                      onClick={() => onChange(withoutRow(draft, row))}
                    />
                  </span>
                </th>
                {columns.map((name, column) => {
                  const fault = isWrong(faults, row, column)
                  return (
                    <td key={name}>
                      <input
                        className="bp6-input"
                        data-cell={`${row}:${column}`}
                        aria-label={t('table.cell', { n: row + 1, name: columnTitle(t, name) })}
                        aria-invalid={fault !== undefined}
                        title={fault && faultText(t, fault)}
                        placeholder={column < draft.inputs.length ? t('table.any') : ''}
                        autoComplete="off"
                        maxLength={300}
                        value={cells[column] ?? ''}
                        onChange={(event) =>
                          onChange(withCell(draft, { row, column }, event.target.value))
                        }
                        onKeyDown={(event) => onKeyDown(event, { row, column })}
                        onPaste={(event) => onPaste(event, { row, column })}
                      />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="decision-buttons">
        <Button
          icon="plus"
          text={t('table.addRow')}
          onClick={() =>
            change(withRow(draft, draft.rows.length - 1), { row: draft.rows.length, column: 0 })
          }
        />
        <ColumnChoice
          label={t('table.addInput')}
          names={free(TABLE_CATALOGUE.map(({ name }) => name))}
          onChoose={(name) => onChange(withColumn(draft, name))}
        />
        <ColumnChoice
          label={t('table.addOutput')}
          names={free(OUTPUT_NAMES)}
          onChoose={(name) => onChange(withColumn(draft, name))}
        />
      </div>
    </div>
  )
}

function ColumnChoice({
  label,
  names,
  onChoose,
}: {
  label: string
  names: readonly string[]
  onChoose: (name: string) => void
}): ReactNode {
  const t = useText('rules', ...namespacesOf(TABLE_CATALOGUE))
  return (
    <span className="bp6-html-select field-select">
      <select aria-label={label} value="" onChange={(event) => onChoose(event.target.value)}>
        <option value="" disabled>
          {label}
        </option>
        {names.map((name) => (
          <option key={name} value={name}>
            {columnTitle(t, name)}
          </option>
        ))}
      </select>
      <span className="field-caret" aria-hidden="true" />
    </span>
  )
}

function isWrong(
  faults: readonly TableFault[],
  row: number,
  column: number | null,
): TableFault | undefined {
  return faults.find((fault) => fault.row === row && fault.column === column)
}
