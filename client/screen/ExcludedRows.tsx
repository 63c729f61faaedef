import './refused-rows.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'

const SHOWN = 6

/** Selected rows that an action will not change, with the reason, shown before it starts. */
export function ExcludedRows({
  rows,
}: {
  rows: readonly { id: string; why: string }[]
}): ReactNode {
  const t = useText('ui')
  if (rows.length === 0) return null
  return (
    <div className="excluded-rows">
      <p>{t('bulk.excluded', { count: rows.length })}</p>
      <ul>
        {rows.slice(0, SHOWN).map(({ id, why }) => (
          <li key={id}>
            <span className="tabular">{id}</span>: {why}
          </li>
        ))}
        {rows.length > SHOWN && <li>{t('bulk.andMore', { count: rows.length - SHOWN })}</li>}
      </ul>
    </div>
  )
}
