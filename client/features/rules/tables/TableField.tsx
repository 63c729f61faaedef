import { type ReactNode, useId, useState } from 'react'
import { type FieldValues, type Path, useController } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { namespacesOf } from '#client/screen/conditions/condition-words.ts'
import type { Faults } from '#client/ui/form/fault.ts'
import { type DecisionTable, TABLE_CATALOGUE } from '#shared/rules/tables/decision-table.ts'
import { tableFaults, tableNotes } from '#shared/rules/tables/table-faults.ts'
import { draftOf, type TableDraft, tableOf } from './table-draft.ts'
import { faultText, wordsOf } from './table-words.ts'
import { TableGrid } from './TableGrid.tsx'

/** Faults named below a table; the others are marked in their cells. */
const NAMED = 5

/** The editor as a field of a form, over its whole width; `checkTable` belongs to its check. */
export function TableField({ name, label }: { name: string; label: string }): ReactNode {
  const t = useText('rules', 'conditions', ...namespacesOf(TABLE_CATALOGUE))
  const id = useId()
  const { field, formState } = useController<FieldValues, Path<FieldValues>>({ name })
  const words = (column: string) => wordsOf(t, column)
  const [draft, setDraft] = useState<TableDraft>(() => draftOf(field.value as DecisionTable, words))
  const table = tableOf(draft, words)
  const faults = tableFaults(table)
  const notes = faults.length === 0 ? tableNotes(table) : []
  // while somebody still fills in a new table, nothing is wrong with it yet
  const shown = formState.isDirty || formState.submitCount > 0 ? faults : []
  return (
    <div className="field decision-field">
      <span className="field-label" id={id}>
        {label}
        <span aria-hidden="true"> *</span>
      </span>
      <p className="rule-facts">{t('table.means')}</p>
      <TableGrid
        label={label}
        draft={draft}
        faults={shown}
        onChange={(next) => {
          setDraft(next)
          field.onChange(tableOf(next, words))
        }}
      />
      <p className="rule-facts">{t('table.keys')}</p>
      {shown.length > 0 && (
        <div className="fault" role="alert">
          <ul className="decision-notes">
            {shown.slice(0, NAMED).map((fault) => (
              <li key={`${fault.fault}:${fault.row}:${fault.column}`}>
                {fault.row === null
                  ? faultText(t, fault)
                  : t('table.atRow', { n: fault.row + 1, fault: faultText(t, fault) })}
              </li>
            ))}
          </ul>
        </div>
      )}
      {notes.length > 0 && (
        <ul className="rule-facts decision-notes" aria-live="polite">
          {notes.slice(0, NAMED).map(({ note, row, with: earlier }) => (
            <li key={`${note}:${row}`}>
              {note === 'gap' || row === null || earlier === null
                ? t('table.note.gap')
                : t('table.note.overlap', { n: row + 1, earlier: earlier + 1 })}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The fault of a field with a table, for the check of a form. */
export function checkTable(name: string, table: DecisionTable): Faults | null {
  return tableFaults(table).length === 0
    ? null
    : { [name]: { key: 'rules:table.fault.table', params: {} } }
}
