/**
 * Consecutive ranges: only each end is typed, the start follows from the previous end, and the last
 * range is open. Gaps and overlaps are therefore impossible.
 */
import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { MAX_RANGES } from '#shared/products/products-api.ts'

export interface Range {
  from: number
  /** Null = open end, or not typed yet. */
  to: number | null
}

interface RangeTableProps<Row extends Range> {
  label: string
  /** Column heads: the range, then one per cell. */
  heads: readonly string[]
  rows: readonly Row[]
  blank: Omit<Row, 'from' | 'to'>
  cells: (row: Row, set: (change: Partial<Row>) => void, name: string) => readonly ReactNode[]
  addText: string
  onChange: (rows: Row[]) => void
}

export function RangeTable<Row extends Range>({
  label,
  heads,
  rows,
  blank,
  cells,
  addText,
  onChange,
}: RangeTableProps<Row>): ReactNode {
  const t = useText('products')
  const set = (at: number, change: Partial<Row>) =>
    onChange(following(rows.map((row, i) => (i === at ? { ...row, ...change } : row))))
  return (
    <div className="range-table">
      {rows.length > 0 && (
        <table aria-label={label}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => {
              const isLast = at === rows.length - 1
              const name = t('range.of', { from: row.from })
              return (
                // ranges have no id; the index identifies them
                <tr key={at}>
                  <td className="range-bounds">
                    <span className="tabular">
                      {at > 0 && rows[at - 1]?.to === null ? '…' : row.from}
                    </span>
                    <span aria-hidden="true">–</span>
                    {isLast ? (
                      <span>{t('range.noEnd')}</span>
                    ) : (
                      <input
                        className="bp6-input tabular"
                        type="number"
                        min={row.from}
                        max={10_000}
                        aria-label={t('range.to', { name })}
                        value={row.to ?? ''}
                        onChange={(event) =>
                          set(at, {
                            to: event.target.value === '' ? null : event.target.valueAsNumber,
                          } as Partial<Row>)
                        }
                      />
                    )}
                  </td>
                  {cells(row, (change) => set(at, change), name).map((cell, i) => (
                    <td key={i}>{cell}</td>
                  ))}
                  <td>
                    <Button
                      variant="minimal"
                      size="small"
                      icon="small-cross"
                      aria-label={t('range.remove', { name })}
                      onClick={() => onChange(following(rows.filter((_, i) => i !== at)))}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <Button
        size="small"
        icon="plus"
        variant="outlined"
        text={addText}
        disabled={rows.length >= MAX_RANGES}
        onClick={() =>
          onChange(following([...rows, { ...(rows.at(-1) ?? blank), from: 1, to: null } as Row]))
        }
      />
    </div>
  )
}

/** `1–7`, `8–…` */
export function rangeText(from: number, to: number | null): string {
  return `${from}–${to ?? '…'}`
}

/** Each range starts after the previous end. A missing end stays empty, which the form refuses. */
function following<Row extends Range>(rows: readonly Row[]): Row[] {
  let from = 1
  return rows.map((row, at) => {
    const next = { ...row, from, to: at === rows.length - 1 ? null : row.to }
    from = next.to === null ? from : next.to + 1
    return next
  })
}
