/**
 * What a request would do: known facts, and the changes of its targets as the server rehearsed
 * them.
 */
import './approvals.css'
import { Fragment, type ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { OrderStatusTag } from '#client/features/orders/public.tsx'
import { RuleExpression, RuleTable } from '#client/features/rules/public.tsx'
import { problemText } from '#client/session/call-error.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { EffectName, EffectRow } from '#shared/approvals/effect.ts'

type Kind = EffectRow['changes'][number]['kind']
type Value = string | number | null

/** The same labels as the lists use. */
const LABELS = {
  payer: 'repayments:col.userName',
  utr: 'repayments:col.utr',
  upi: 'repayments:col.upi',
  payTime: 'repayments:col.payTime',
  cause: 'repayments:reverse.cause',
  orderStatus: 'repayments:preview.order',
  outstanding: 'repayments:col.outstanding',
  overdueDays: 'repayments:col.overdueDays',
  fine: 'repayments:col.overdueFine',
  caseState: 'approvals:change.case',
  stage: 'repayments:preview.stage',
  reduction: 'approvals:change.reduction',
  payee: 'orders:transfer.payee',
  account: 'orders:transfer.account',
  vendor: 'orders:transfer.vendor',
  transferType: 'orders:transfer.type',
  attempts: 'orders:transfer.attemptNo',
  failReason: 'orders:col.failReason',
  rule: 'rules:rule.col.ruleId',
  ruleShare: 'rules:trial.percent',
  ruleVersion: 'rules:rule.col.versionNo',
  ruleGroup: 'rules:rule.col.group',
  rulePriority: 'rules:rule.col.priority',
  ruleMode: 'rules:rule.col.mode',
  ruleExpression: 'rules:rule.col.expression',
  ruleAction: 'rules:rule.col.action',
  refusalCode: 'rules:rule.col.refusalCode',
  ruleOutput: 'rules:rule.col.output',
  decisionTable: 'rules:table.col.tableId',
  tableRows: 'rules:table.col.rows',
  tableOrder: 'rules:table.col.order',
} satisfies Record<EffectName, string>

export function Effect({ effect: { facts, changes, obstacle } }: { effect: EffectRow }): ReactNode {
  const t = useText('approvals', 'repayments', 'orders', 'collection', 'rules')
  const known = facts.filter(({ value }) => value !== null)
  return (
    <section className="approval-effect" aria-label={t('change.title')} aria-live="polite">
      {known.length > 0 && (
        <dl>
          {known.map(({ name, kind, value }) => (
            <Fragment key={name}>
              <dt>{t(LABELS[name] as 'change.title')}</dt>
              <dd>
                <One kind={kind} value={value} />
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {obstacle === null ? (
        <h4>{t('change.title')}</h4>
      ) : (
        <p className="approval-obstacle" role="alert">
          {t('change.obstacle')}{' '}
          {problemText({ id: obstacle.problem, params: obstacle.params }) ?? obstacle.msg}
        </p>
      )}
      {changes.length > 0 && (
        <dl>
          {changes.map(({ name, kind, before, after }) => (
            <Fragment key={name}>
              <dt>{t(LABELS[name] as 'change.title')}</dt>
              <dd>
                {before === after ? (
                  <span className="is-same">
                    <One kind={kind} value={after} />
                  </span>
                ) : (
                  <>
                    <One kind={kind} value={before} />{' '}
                    <span role="img" aria-label={t('repayments:preview.becomes')}>
                      →
                    </span>{' '}
                    <strong>
                      <One kind={kind} value={after} />
                    </strong>
                  </>
                )}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </section>
  )
}

function One({ kind, value }: { kind: Kind; value: Value }): ReactNode {
  const t = useText('approvals', 'repayments', 'collection', 'rules')
  if (value === null) return '—'
  const word = (key: string) => t(`${key}.${value}`, { defaultValue: String(value) })
  switch (kind) {
    case 'money':
      return <Money paise={Number(value)} />
    case 'time':
      return <IstTime value={String(value)} />
    case 'orderStatus':
      return <OrderStatusTag status={Number(value)} />
    case 'caseState':
      return word('collection:state')
    case 'reductionState':
      return value === 'void' ? t('change.void') : word('repayments:reductionState')
    case 'cause':
      return word('repayments:reverse.causes')
    case 'ruleMode':
      return word('rules:rule.mode')
    case 'ruleExpression':
      return <RuleExpression json={String(value)} />
    case 'decisionTable':
      return <RuleTable json={String(value)} />
    case 'number':
    case 'text':
      return <span className="tabular">{value}</span>
  }
}
