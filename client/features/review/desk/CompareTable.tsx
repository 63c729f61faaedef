/** Entered values beside extracted ones. Differences are marked by colour, sign and position. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { Masked } from '#client/ui/value/Masked.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { i18n } from '#client/base/i18n.ts'
import type { CompareRow } from './compare-rows.ts'

type Reveal = (field: 'pan' | 'address') => ((reason: string) => Promise<string>) | undefined

export function CompareTable({
  rows,
  reveal,
}: {
  rows: readonly CompareRow[]
  reveal: Reveal
}): ReactNode {
  const t = useText('review')
  if (!rows.length) return <p className="desk-line desk-muted">{t('compare.nothing')}</p>
  return (
    <table className="compare">
      <caption className="visually-hidden">{t('section.compare')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('compare.field')}</th>
          <th scope="col">{t('compare.entered')}</th>
          <th scope="col">{t('compare.read')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.field} data-verdict={row.verdict}>
            <th scope="row">{t(`field.${row.field}`)}</th>
            <td>
              {row.field === 'pan' || row.field === 'address' ? (
                <span className={row.verdict === 'differs' ? 'differs' : ''}>
                  <Masked
                    value={row.entered}
                    label={t(`field.${row.field}`)}
                    onReveal={reveal(row.field)}
                  />
                </span>
              ) : (
                <span className={row.verdict === 'differs' ? 'differs' : ''}>
                  {shown(row, row.entered, t)}
                </span>
              )}
            </td>
            <td>
              {row.verdict === 'unread' ? (
                <span className="desk-muted">{t('compare.unread')}</span>
              ) : row.verdict === 'match' ? (
                <span className="matches">✓ {t('compare.match')}</span>
              ) : (
                <Differences row={row} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Differences({ row }: { row: CompareRow }): ReactNode {
  const t = useText('review')
  return row.read
    .filter((one) => one.differs)
    .map((one) => (
      <span key={one.source} className="difference" title={t(`source.${one.source}`)}>
        <span className="visually-hidden">{t('compare.differs')} </span>
        <span className="differs">
          <i aria-hidden="true">≠</i> {shown(row, one.value, t)}
        </span>
        {row.read.length > 1 && <small>{t(`source.${one.source}`)}</small>}
      </span>
    ))
}

function shown(row: CompareRow, value: string | null, t: ReturnType<typeof useText>): string {
  if (value === null || value === '') return '—'
  if (row.field === 'birthday') return formatIst(value, 'day', i18n.language) || value
  return row.field === 'sex' ? t(`sex.${value}`, { defaultValue: value }) : value
}
