import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { MACHINE_ROUTES } from '#shared/rules/trial-sets.ts'
import { shareText } from './route-words.ts'
import type { BacktestGroup } from './trial-types.ts'

/** Of each channel or product, the parts that passed, went to people and failed, then and now. */
export function GroupTable({
  label,
  groups,
  onOpen,
}: {
  label: string
  groups: readonly BacktestGroup[]
  onOpen: ((id: string) => void) | undefined
}): ReactNode {
  const t = useText('rules')
  if (groups.length === 0) return null
  return (
    <table className="trial-table">
      <caption>{label}</caption>
      <thead>
        <tr>
          <th>{t('rule.col.name')}</th>
          <th className="trial-number">{t('trial.applications')}</th>
          {MACHINE_ROUTES.map((route) => (
            <th key={route} className="trial-number">
              {t(`trial.route.${route}`)}
            </th>
          ))}
          <th className="trial-number">{t('trial.turned')}</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ id, name, n, happened, would, turned }) => (
          <tr key={id}>
            <td>{name}</td>
            <td className="trial-number">{formatCount(n)}</td>
            {MACHINE_ROUTES.map((route) => (
              <td key={route} className="trial-number">
                {shareText(happened[route], n)} → {shareText(would[route], n)}
              </td>
            ))}
            <td className="trial-number">
              {turned > 0 && onOpen ? (
                <button
                  type="button"
                  className="trial-cell"
                  aria-label={t('trial.turnedOf', { name, n: formatCount(turned) })}
                  onClick={() => onOpen(id)}
                >
                  {formatCount(turned)}
                </button>
              ) : (
                formatCount(turned)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
