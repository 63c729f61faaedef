/** Faults of a terms workbook, cell by cell. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'

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
  const t = useText('products')
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
