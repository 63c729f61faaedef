import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { Difference } from './entry-diff.ts'

/** Values before and after, side by side. */
export function EntryValues({ rows }: { rows: readonly Difference[] }): ReactNode {
  const t = useText('access')
  return (
    <table className="operate-log-values">
      <thead>
        <tr>
          {['field', 'before', 'after'].map((name) => (
            <th key={name} scope="col">
              {t(`operateLog.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ path, before, after, isChanged }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td className={isChanged && before !== null ? 'is-removed' : ''}>{before ?? ''}</td>
            <td className={isChanged && after !== null ? 'is-added' : ''}>{after ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
