/**
 * Requests of one page, or all: pending ones first, the oldest on top. People with the code decide
 * here, requesters withdraw.
 */
import './approvals.css'
import { Button } from '@blueprintjs/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { RoleDifference } from '#client/features/access/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { useLive } from '#client/live/use-live.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryKeyOf, queryOf, useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { useScreenTitle } from '#client/session/use-screen-title.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag, type Tone } from '#client/ui/value/StatusTag.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import type { APPROVAL_STATES } from '#shared/approvals/approval-sets.ts'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import { decideApproval, listApprovals, withdrawApproval } from '#shared/approvals/approvals-api.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { Effect } from './Effect.tsx'

type Row = DataOf<typeof listApprovals>['rows'][number]
type Decision = { what: 'approved' | 'rejected' | 'withdraw'; row: Row }
const TONES = {
  pending: 'warn',
  approved: 'good',
  rejected: 'bad',
  withdrawn: 'neutral',
  expired: 'neutral',
} satisfies Record<(typeof APPROVAL_STATES)[number], Tone>
const EVENTS = [APPROVAL_CHANGED.type]

export function ApprovalsList({
  menu,
  toDecide,
}: {
  /** All kinds that are asked for on this page. */
  menu?: string
  /** Only so many of those the person may decide. */
  toDecide?: number
}): ReactNode {
  const t = useText('approvals')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(
    queryOf(listApprovals, { ...(menu && { menu }) }, { quiet: true }),
  )
  const decide = useSend(decideApproval)
  const withdraw = useSend(withdrawApproval)
  const [confirming, setConfirming] = useState<Decision | null>(null)
  const rows =
    toDecide === undefined
      ? data?.rows
      : data?.rows.filter(({ mayDecide }) => mayDecide).slice(0, toDecide)
  const reread = () =>
    Promise.all(
      [listApprovals, approvalDetail].map((endpoint) =>
        queries.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
      ),
    )
  useLive(EVENTS, () => void reread())

  async function act(
    { what, row: { approvalId, version } }: Decision,
    reason: string,
  ): Promise<void> {
    try {
      if (what === 'withdraw') await withdraw.mutateAsync({ approvalId, version })
      else
        await decide.mutateAsync({
          approvalId,
          version,
          result: what,
          ...(what === 'rejected' ? { reason } : {}),
        })
      void showMessage({
        intent: 'success',
        message: t(`done.${what}`, { approvalId }),
        key: `approval:${approvalId}`,
      })
    } finally {
      void reread()
    }
  }
  return (
    <>
      {error ? <ErrorPane error={error} onRetry={() => void refetch()} /> : null}
      {rows?.length === 0 ? <Empty icon="tick-circle" reason={t('none')} /> : null}
      <ul className="approval-list" aria-busy={data === undefined}>
        {rows?.map((row) => (
          <li
            key={row.approvalId}
            className={row.state === 'pending' ? 'approval' : 'approval is-closed'}
          >
            <div className="approval-head">
              <h3>
                {t(`kind.${row.kind}`)} <span className="tabular">{row.approvalId}</span>
              </h3>
              <StatusTag tone={TONES[row.state]}>{t(`state.${row.state}`)}</StatusTag>
              <span className="approval-sum">
                {row.kind === 'export' ? (
                  t('countRows', { n: formatCount(row.count) })
                ) : (
                  <>
                    {row.count > 1 ? `${t('count', { n: row.count })} · ` : ''}
                    {row.amount > 0 ? <Money paise={row.amount} /> : null}
                  </>
                )}
              </span>
            </div>
            <p>{row.reason}</p>
            <p className="approval-by">
              {row.requestBy} · <IstTime value={row.requestTime} />
              {row.state === 'pending' ? (
                <>
                  {' '}
                  · {t('until')} <IstTime value={row.expireTime} />
                </>
              ) : null}
            </p>
            {row.decideTime !== null && (
              <p className="approval-by">
                {row.decideBy ?? ''} {row.decideBy === null ? '' : '· '}
                <IstTime value={row.decideTime} />
                {row.decideReason === null ? '' : ` · ${row.decideReason}`}
              </p>
            )}
            <Concerned row={row} />
            {row.state === 'pending' && (
              <div className="approval-actions">
                {row.mayDecide && (
                  <ActionButton
                    icon="tick"
                    intent="primary"
                    text={t('approve')}
                    disabledReason={offline}
                    onClick={() => setConfirming({ what: 'approved', row })}
                  />
                )}
                {row.mayDecide && (
                  <ActionButton
                    icon="cross"
                    text={t('reject')}
                    disabledReason={offline}
                    onClick={() => setConfirming({ what: 'rejected', row })}
                  />
                )}
                {row.requestById === user.userId && (
                  <ActionButton
                    icon="undo"
                    text={t('withdraw')}
                    disabledReason={offline}
                    onClick={() => setConfirming({ what: 'withdraw', row })}
                  />
                )}
                {!row.mayDecide && row.requestById === user.userId && (
                  <span className="approval-by">{t('waits')}</span>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      <ConfirmAction
        isOpen={confirming !== null}
        intent={confirming?.what === 'approved' ? 'danger' : 'primary'}
        title={confirming === null ? '' : t(`ask.${confirming.what}`)}
        count={confirming?.row.count ?? 0}
        {...(confirming?.row.kind === 'export' ? {} : { amount: confirming?.row.amount ?? 0 })}
        confirmText={
          confirming === null
            ? ''
            : t(
                confirming.what === 'approved'
                  ? 'approve'
                  : confirming.what === 'rejected'
                    ? 'reject'
                    : 'withdraw',
              )
        }
        {...(confirming?.what === 'rejected' ? { reason: { min: 4, max: 200 } } : {})}
        {...(confirming?.what === 'approved'
          ? { irreversible: [t(`effect.${confirming.row.kind}`)] }
          : {})}
        onConfirm={(reason) => (confirming === null ? Promise.resolve() : act(confirming, reason))}
        onClose={() => setConfirming(null)}
      >
        <p>{confirming?.row.reason}</p>
        {confirming !== null && confirming.what !== 'withdraw' && <Detail row={confirming.row} />}
      </ConfirmAction>
    </>
  )
}

/**
 * The current orders of a request, the requested file, or the role it would create; fetched when
 * expanded.
 */
function Concerned({ row }: { row: Row }): ReactNode {
  const { kind } = row
  const t = useText('approvals')
  // the agreement is what the decision is about, so it is expanded while pending
  const [isOpen, setOpen] = useState(kind === 'cure' && row.state === 'pending')
  return (
    <>
      <Button
        variant="minimal"
        size="small"
        icon={isOpen ? 'chevron-up' : 'chevron-down'}
        text={t(kind === 'export' ? 'file.show' : 'orders')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen ? <Detail row={row} /> : null}
    </>
  )
}

/** Also shown in the confirmation, so that nobody decides without seeing it. */
function Detail({ row: { approvalId, kind } }: { row: Row }): ReactNode {
  const t = useText('approvals', 'repayments')
  const { data, error } = useQuery(queryOf(approvalDetail, { approvalId }, { quiet: true }))
  if (error)
    return (
      <p className="approval-obstacle" role="alert">
        {failureText(error)}
      </p>
    )
  if (data === undefined) return <p role="status">{t('ui:grid.loading')}</p>
  return (
    <>
      {data.file ? <RequestedFile file={data.file} /> : null}
      {data.role ? <RoleDifference role={data.role} /> : null}
      {kind !== 'export' &&
        kind !== 'roleEdit' &&
        kind !== 'ruleEnable' &&
        kind !== 'tableEnable' && (
          <ul className="approval-orders">
            {data.orders.map((order) => (
              <li key={order.orderId}>
                <span className="tabular">{order.orderId}</span> · {order.userName} ·{' '}
                {t('repayments:col.outstanding')} <Money paise={order.outstanding} />
              </li>
            ))}
          </ul>
        )}
      {data.effect ? <Effect effect={data.effect} /> : null}
      {data.plan ? <Plan plan={data.plan} /> : null}
    </>
  )
}

function RequestedFile({
  file: { menu, title, format, rows, columns, filters, reveal },
}: {
  file: NonNullable<DataOf<typeof approvalDetail>['file']>
}): ReactNode {
  const t = useText('approvals')
  const titleOf = useScreenTitle()
  return (
    <dl className="approval-file">
      <dt>{titleOf(menu) ?? menu}</dt>
      <dd>
        {title} · {format.toUpperCase()} · {t('countRows', { n: formatCount(rows) })}
        {reveal ? ` · ${t('file.open')}` : ''}
      </dd>
      <dt>{t('file.filters')}</dt>
      <dd>
        {filters.length === 0
          ? t('file.none')
          : filters.map(({ name, value }) => `${name}: ${value}`).join(' · ')}
      </dd>
      <dt>{t('file.columns')}</dt>
      <dd>{columns.join(', ')}</dd>
    </dl>
  )
}

/** The instalments in which a bad debt is to be paid. */
function Plan({ plan }: { plan: NonNullable<DataOf<typeof approvalDetail>['plan']> }): ReactNode {
  const t = useText('approvals')
  return (
    <table className="approval-plan">
      <caption>{t('plan')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('part')}</th>
          <th scope="col">{t('due')}</th>
          <th scope="col">{t('amount')}</th>
        </tr>
      </thead>
      <tbody>
        {plan.map(({ dueTime, amount }, i) => (
          <tr key={dueTime}>
            <td>{i + 1}</td>
            <td>
              <IstTime value={dueTime} style="day" />
            </td>
            <td>
              <Money paise={amount} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
