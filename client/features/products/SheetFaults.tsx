/** What is wrong with a workbook of terms, cell by cell. */
import type { ReactNode } from 'react'
import { useSay } from './use-say.ts'

export interface SheetFault {
  sheet: string
  row: number
  column: string
  messageKey: string
  params: Record<string, string | number>
}

export function sheetFaultsOf(error: unknown): readonly SheetFault[] {
  return (error as { data?: { rows?: SheetFault[] } | null } | null)?.data?.rows ?? []
}

export function SheetFaults({ faults }: { faults: readonly SheetFault[] }): ReactNode {
  const t = useSay()
  if (faults.length === 0) return null
  return (
    <div className="field">
      <span />
      <ul className="sheet-faults field-control">
        {faults.map(({ sheet, row, column, messageKey, params }) => (
          <li key={`${sheet}${column}${row}${messageKey}`}>
            <strong>
              {t('template.cell', { sheet: t(`action.${sheet}`), cell: `${column}${row}` })}
            </strong>{' '}
            {t(messageKey, params)}
          </li>
        ))}
      </ul>
    </div>
  )
}
