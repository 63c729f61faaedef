import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { MACHINE_ROUTES, type MachineRoute } from '#shared/rules/trial-sets.ts'

export interface MatrixCell {
  happened: MachineRoute
  /** Null: it could not be evaluated. */
  would: MachineRoute | null
  n: number
}

/** What happened in lines, what would have happened in columns; a number opens its applications. */
export function RouteMatrix({
  label,
  cells,
  onOpen,
}: {
  label: string
  cells: readonly MatrixCell[]
  /** Without it the rows are no longer kept. */
  onOpen?: ((happened: MachineRoute, would: MachineRoute) => void) | undefined
}): ReactNode {
  const t = useText('rules')
  const n = (happened: MachineRoute, would: MachineRoute | null) =>
    cells.find((cell) => cell.happened === happened && cell.would === would)?.n ?? 0
  const hasOpen = cells.some(({ would }) => would === null)
  const sum = (some: readonly MatrixCell[]) => some.reduce((all, cell) => all + cell.n, 0)
  return (
    <table className="trial-table trial-matrix">
      <caption>{label}</caption>
      <thead>
        <tr>
          <th>{t('trial.happened')}</th>
          {MACHINE_ROUTES.map((would) => (
            <th key={would} className="trial-number">
              {t(`trial.would.${would}`)}
            </th>
          ))}
          {hasOpen && <th className="trial-number">{t('rule.outcome.notEvaluated')}</th>}
          <th className="trial-number">{t('trial.sum')}</th>
        </tr>
      </thead>
      <tbody>
        {MACHINE_ROUTES.map((happened) => (
          <tr key={happened}>
            <th scope="row">{t(`trial.route.${happened}`)}</th>
            {MACHINE_ROUTES.map((would) => {
              const count = n(happened, would)
              const isTurned = happened !== would && count > 0
              return (
                <td key={would} className={isTurned ? 'trial-number is-turned' : 'trial-number'}>
                  {count > 0 && onOpen ? (
                    <button
                      type="button"
                      className="trial-cell"
                      aria-label={t('trial.cell', {
                        happened: t(`trial.route.${happened}`),
                        would: t(`trial.would.${would}`),
                        n: formatCount(count),
                      })}
                      onClick={() => onOpen(happened, would)}
                    >
                      {formatCount(count)}
                    </button>
                  ) : (
                    formatCount(count)
                  )}
                </td>
              )
            })}
            {hasOpen && <td className="trial-number">{formatCount(n(happened, null))}</td>}
            <td className="trial-number">
              {formatCount(sum(cells.filter((cell) => cell.happened === happened)))}
            </td>
          </tr>
        ))}
        <tr className="trial-sum">
          <th scope="row">{t('trial.sum')}</th>
          {MACHINE_ROUTES.map((would) => (
            <td key={would} className="trial-number">
              {formatCount(sum(cells.filter((cell) => cell.would === would)))}
            </td>
          ))}
          {hasOpen && (
            <td className="trial-number">
              {formatCount(sum(cells.filter(({ would }) => would === null)))}
            </td>
          )}
          <td className="trial-number">{formatCount(sum(cells))}</td>
        </tr>
      </tbody>
    </table>
  )
}
