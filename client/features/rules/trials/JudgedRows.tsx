/** Applications with what happened and what would have happened, a page at a time. */
import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useText } from '#client/base/use-text.ts'
import { OrderLink, OrderStatusTag } from '#client/features/orders/public.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { MachineRoute } from '#shared/rules/trial-sets.ts'
import { ROUTE_TONES } from './route-words.ts'
import type { BacktestRow, TrialRow } from './trial-types.ts'

export const ROWS_SIZE = 20

type Row = Pick<
  BacktestRow & TrialRow,
  'orderId' | 'channelName' | 'productName' | 'amount' | 'orderStatus' | 'overdueDays'
> & {
  happened: MachineRoute | null
  would: MachineRoute | null
  cause: BacktestRow['cause']
  side?: TrialRow['side']
  time: string
}

interface JudgedRowsProps {
  timeLabel: string
  rows: readonly Row[] | undefined
  total: number
  page: number
  error: unknown
  onPage: (page: number) => void
  onRetry: () => void
  onClose: () => void
}

export function JudgedRows(props: JudgedRowsProps): ReactNode {
  const { timeLabel, rows, total, page, error, onPage, onRetry, onClose } = props
  const t = useText('rules')
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<Element | null>(null)
  const pages = Math.max(1, Math.ceil(total / ROWS_SIZE))
  // it opens below what was pressed, and gives the focus back
  useEffect(() => {
    opener.current = document.activeElement
    heading.current?.focus()
  }, [])
  function close(): void {
    if (opener.current instanceof HTMLElement) opener.current.focus()
    onClose()
  }
  return (
    <section aria-label={t('trial.rows')}>
      <div className="trial-rows-head">
        <h3 ref={heading} tabIndex={-1}>
          {t('trial.rows')}
          {rows && ` · ${formatCount(total)}`}
        </h3>
        <Button
          size="small"
          variant="minimal"
          icon="cross"
          text={t('trial.close')}
          onClick={close}
        />
      </div>
      {error !== null && <ErrorPane error={error} onRetry={onRetry} />}
      {rows?.length === 0 && <Empty reason={t('trial.noRows')} />}
      {rows && rows.length > 0 && <Table rows={rows} timeLabel={timeLabel} />}
      {!rows && error === null && <p role="status">{t('ui:grid.loading')}</p>}
      {pages > 1 && (
        <div className="trial-pages">
          <Button
            size="small"
            icon="chevron-left"
            aria-label={t('trial.previous')}
            disabled={page === 1}
            onClick={() => onPage(page - 1)}
          />
          <span>{t('trial.page', { page, pages })}</span>
          <Button
            size="small"
            icon="chevron-right"
            aria-label={t('trial.next')}
            disabled={page === pages}
            onClick={() => onPage(page + 1)}
          />
        </div>
      )}
    </section>
  )
}

function Table({ rows, timeLabel }: { rows: readonly Row[]; timeLabel: string }): ReactNode {
  const t = useText('rules', 'orders')
  const hasSides = rows.some(({ side }) => side)
  return (
    <table className="trial-table">
      <thead>
        <tr>
          <th>{t('orders:col.orderId')}</th>
          <th>{timeLabel}</th>
          <th>{t('orders:col.channelName')}</th>
          <th>{t('orders:col.productName')}</th>
          <th className="trial-number">{t('orders:col.amount')}</th>
          <th>{t('trial.happened')}</th>
          <th>{hasSides ? t('trial.sideOf') : t('trial.wouldHave')}</th>
          <th>{t('trial.now')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.orderId}>
            <td>
              <OrderLink orderId={row.orderId} />
            </td>
            <td>
              <IstTime value={row.time} />
            </td>
            <td>{row.channelName}</td>
            <td>{row.productName}</td>
            <td className="trial-number">
              <Money paise={row.amount} />
            </td>
            <td>{row.happened && <Route route={row.happened} />}</td>
            <td>
              {row.side && t(`trial.side.${row.side}`)}
              {row.would && <Route route={row.would} />}
              {!row.would && row.cause && t(`trial.unjudged.${row.cause}`)}
            </td>
            <td>
              <OrderStatusTag status={row.orderStatus} />
              {row.overdueDays > 0 && ` ${t('trial.overdue', { count: row.overdueDays })}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Route({ route }: { route: MachineRoute }): ReactNode {
  const t = useText('rules')
  return <StatusTag tone={ROUTE_TONES[route]}>{t(`trial.route.${route}`)}</StatusTag>
}
