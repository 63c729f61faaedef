/** Parts shared by the tabs with records of other features. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useSession } from '#client/session/session-store.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import type { CustomerDetail } from '#shared/customers/customer-detail-api.ts'
import { type CustomerSection, MOST_ROWS } from '#shared/customers/customer-sets.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { useCustomer } from '../use-customer.ts'

export interface OfCustomer {
  userId: string
}

/** Loads its sections when it becomes visible. */
export function Section({
  userId,
  sections,
  children,
}: OfCustomer & {
  sections: readonly CustomerSection[]
  children: (detail: CustomerDetail) => ReactNode
}): ReactNode {
  const t = useCustomerText()
  const { detail, error, reread } = useCustomer(userId, sections)
  if (detail) return children(detail)
  return error ? (
    <ErrorPane error={error} onRetry={reread} />
  ) : (
    <div className="customer-wait" role="status" aria-label={t('ui:grid.loading')}>
      <span className="bp6-skeleton" />
    </div>
  )
}

interface Column<Row> {
  head: string
  isRight?: boolean
  cell: (row: Row) => ReactNode
}

export function Rows<Row>({
  label,
  none,
  rows,
  idOf,
  columns,
}: {
  label: string
  none: string
  rows: readonly Row[]
  idOf: (row: Row) => string
  columns: readonly Column<Row>[]
}): ReactNode {
  const t = useCustomerText()
  if (rows.length === 0) return <Empty reason={none} icon="inbox" />
  const side = (column: Column<Row>) => (column.isRight ? 'is-right' : undefined)
  return (
    <>
      <div className="plain-scroll" role="region" aria-label={label} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.head} scope="col" className={side(column)}>
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={idOf(row)}>
                {columns.map((column) => (
                  <td key={column.head} className={side(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === MOST_ROWS && (
        <p className="customer-muted">{t('detail.most', { n: MOST_ROWS })}</p>
      )}
    </>
  )
}

export function Away({ to, children }: { to: string; children: ReactNode }): ReactNode {
  return (
    <Link className="customer-away tabular" href={to}>
      {children}
    </Link>
  )
}

/** The first of these menus in the session. */
export function useMenu(names: readonly string[]): string | null {
  const { index } = useSession()
  return names.find((name) => index.byName.has(name)) ?? null
}
