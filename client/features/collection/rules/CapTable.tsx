import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { NumberCell } from './NumberCell.tsx'
import type { Rules } from './rule-types.ts'

type Cap = Rules['caps'][number]

/** What each role may waive, in per cent of the open fees. */
export function CapTable({
  caps,
  onChange,
}: {
  caps: readonly Cap[]
  onChange: (caps: Cap[]) => void
}): ReactNode {
  const t = useText('collection')
  return (
    <table className="plain-table has-controls">
      <tbody>
        {caps.map(({ role, percent }) => (
          <tr key={role}>
            <th scope="row">{t(`access:mark.${role}`)}</th>
            <td>
              <span className="rules-cap">
                <NumberCell
                  name={t(`access:mark.${role}`)}
                  value={percent}
                  min={0}
                  max={100}
                  onChange={(next) =>
                    onChange(caps.map((cap) => (cap.role === role ? { role, percent: next } : cap)))
                  }
                />{' '}
                %
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
