/** What a back-test found: by route, how the turned ones were paid, by channel and by product. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { queryOf } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { backtestDetail } from '#shared/rules/backtest-api.ts'
import { BacktestRows } from './BacktestRows.tsx'
import { GroupTable } from './GroupTable.tsx'
import { RouteMatrix } from './RouteMatrix.tsx'
import { shareText } from './route-words.ts'
import type { BacktestCell, BacktestResult, BacktestRowsInput } from './trial-types.ts'

export function BacktestFigures({ backtestId }: { backtestId: string }): ReactNode {
  const t = useText('rules')
  const { data, error, refetch } = useQuery(queryOf(backtestDetail, { backtestId }))
  const [shown, setShown] = useState<BacktestRowsInput | null>(null)
  if (error) return <ErrorPane error={error} onRetry={() => void refetch()} />
  if (!data) return <p role="status">{t('ui:grid.loading')}</p>
  const { backtest, cells, channels, products, hasRows } = data
  const open = hasRows ? setShown : undefined
  return (
    <div className="trial-figures">
      {backtest.state === 'cancelled' && <p className="rule-facts">{t('trial.partly')}</p>}
      <RouteMatrix
        label={t('trial.matrix', { n: backtest.versionNo })}
        cells={cells}
        onOpen={open && ((happened, would) => open({ happened, would }))}
      />
      <Unjudged data={data} onOpen={open && ((cause) => open({ cause }))} />
      <Turned cells={cells} />
      <GroupTable
        label={t('trial.byChannel')}
        groups={channels}
        onOpen={open && ((channelId) => open({ channelId, turned: true }))}
      />
      <GroupTable
        label={t('trial.byProduct')}
        groups={products}
        onOpen={open && ((productId) => open({ productId, turned: true }))}
      />
      {!hasRows && cells.length > 0 && <p className="rule-facts">{t('trial.rowsGone')}</p>}
      {shown && (
        <BacktestRows
          key={JSON.stringify(shown)}
          backtestId={backtestId}
          input={shown}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  )
}

/** Applications that could not be evaluated, and those the version itself left open. */
function Unjudged({
  data: { unjudged, open },
  onOpen,
}: {
  data: BacktestResult
  onOpen: ((cause: NonNullable<BacktestRowsInput['cause']>) => void) | undefined
}): ReactNode {
  const t = useText('rules')
  if (unjudged.length + open.length === 0) return null
  const line = (kind: 'unjudged' | 'left', { cause, n }: BacktestResult['open'][number]) => (
    <li key={`${kind}${cause}`}>
      {t(`trial.${kind}.${cause}`)}:{' '}
      {onOpen ? (
        <button type="button" className="trial-cell" onClick={() => onOpen(cause)}>
          {formatCount(n)}
        </button>
      ) : (
        formatCount(n)
      )}
    </li>
  )
  return (
    <>
      <h3>{t('trial.notEvaluated')}</h3>
      <ul className="trial-causes">
        {unjudged.map((one) => line('unjudged', one))}
        {open.map((one) => line('left', one))}
      </ul>
    </>
  )
}

/** Those that would go another way, and how their loans were paid in fact. */
function Turned({ cells }: { cells: readonly BacktestCell[] }): ReactNode {
  const t = useText('rules')
  const turned = cells.filter(({ happened, would }) => happened !== would)
  if (cells.length === 0) return null
  return (
    <>
      <h3>{t('trial.turned')}</h3>
      {turned.length === 0 ? (
        <p className="rule-facts">{t('trial.noneTurned')}</p>
      ) : (
        <table className="trial-table">
          <thead>
            <tr>
              <th>{t('trial.way')}</th>
              <th className="trial-number">{t('trial.applications')}</th>
              <th className="trial-number" title={t('trial.byOthersMeans')}>
                {t('trial.byOthers')}
              </th>
              <th className="trial-number">{t('trial.loans')}</th>
              <th className="trial-number">{t('trial.t7')}</th>
              <th className="trial-number">{t('trial.t30')}</th>
              <th className="trial-number">{t('trial.firstDefault')}</th>
            </tr>
          </thead>
          <tbody>
            {turned.map((cell) => (
              <tr key={`${cell.happened}${cell.would}`}>
                <td>
                  {t(`trial.route.${cell.happened}`)} → {t(`trial.would.${cell.would}`)}
                </td>
                <td className="trial-number">{formatCount(cell.n)}</td>
                <td className="trial-number">{formatCount(cell.byOthers)}</td>
                <td className="trial-number">{formatCount(cell.loans)}</td>
                <Rate part={cell.unpaid7} whole={cell.due7} />
                <Rate part={cell.unpaid30} whole={cell.due30} />
                <Rate part={cell.firstUnpaid} whole={cell.firstDue} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Rate({ part, whole }: { part: number; whole: number }): ReactNode {
  return (
    <td className="trial-number" title={whole === 0 ? undefined : `${part} / ${whole}`}>
      {shareText(part, whole)}
    </td>
  )
}
