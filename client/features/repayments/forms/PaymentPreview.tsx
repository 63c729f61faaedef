/**
 * What a payment changes, shown before it is booked or confirmed: the order, the case, the promise
 * and every instalment it reaches.
 */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import type { ReactNode } from 'react'
import { OrderStatusTag } from '#client/features/orders/public.tsx'
import { serverNow } from '#client/session/server-clock.ts'
import { failureText } from '#client/ui/feedback/failure.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StageTag, type Stage, StatusTag } from '#client/ui/value/StatusTag.tsx'
import { istDay } from '#shared/kernel/time.ts'
import type { PaymentPreview as Preview } from '../payment-types.ts'
import { codeWord, planTone } from '../payment-words.ts'
import { PlanKindTag } from '../list/PlanKindTag.tsx'
import { RecountedPayments } from './RecountedPayments.tsx'

export interface PaymentPreviewProps {
  preview: Preview | undefined
  /** Why there is no preview. */
  error: unknown
}

export function PaymentPreview({ preview, error }: PaymentPreviewProps): ReactNode {
  const t = useText('repayments', 'coupons')
  if (error)
    return (
      <p className="money-note is-wrong" role="alert">
        {failureText(error)}
      </p>
    )
  if (!preview) return null
  const isBackDated = preview.valueDay < istDay(serverNow())
  return (
    <section className="money-preview" aria-label={t('preview.title')} aria-live="polite">
      <h3>{t('preview.title')}</h3>
      {isBackDated && (
        <p className="money-note is-warning">
          {t('preview.backDated')} <IstTime value={preview.valueDay} style="day" />
        </p>
      )}
      {preview.surplus > 0 && (
        <p className="money-note is-warning">
          {t('preview.surplus')}{' '}
          <strong>
            <Money paise={preview.surplus} />
          </strong>
        </p>
      )}
      <dl className="money-changes">
        {preview.couponed > 0 && (
          <>
            <dt>{t('coupons:use.gives')}</dt>
            <dd>
              −<Money paise={preview.couponed} />
            </dd>
          </>
        )}
        <dt>{t('preview.dueThen')}</dt>
        <dd>
          <Money paise={preview.due} />
        </dd>
        <dt>{t('preview.order')}</dt>
        <dd>
          <Change
            before={<OrderStatusTag status={preview.status.before} />}
            after={<OrderStatusTag status={preview.status.after} />}
            isSame={preview.status.before === preview.status.after}
          />
        </dd>
        <dt>{t('col.outstanding')}</dt>
        <dd>
          <Change
            before={<Money paise={preview.outstanding.before} />}
            after={<Money paise={preview.outstanding.after} />}
            isSame={preview.outstanding.before === preview.outstanding.after}
          />
        </dd>
        <dt>{t('col.overdueDays')}</dt>
        <dd>
          <Change
            before={preview.overdueDays.before}
            after={preview.overdueDays.after}
            isSame={preview.overdueDays.before === preview.overdueDays.after}
          />
        </dd>
        {preview.successor && (
          <>
            <dt>{t('preview.successor')}</dt>
            <dd>
              <Money paise={preview.successor.outstanding} /> · {t('quote.newDue')}{' '}
              <IstTime value={preview.successor.dueTime} style="day" />
            </dd>
          </>
        )}
        {preview.case && <CaseChange found={preview.case} />}
      </dl>
      {preview.plans.length > 0 && <PlanChanges plans={preview.plans} />}
      {preview.recounted.length > 0 && <RecountedPayments recounted={preview.recounted} />}
    </section>
  )
}

function CaseChange({
  found: { stage, promise },
}: {
  found: NonNullable<Preview['case']>
}): ReactNode {
  const t = useText('repayments')
  // stages are rows of a table; only those of the default set have colours of their own
  const tag = (one: string) => <StageTag stage={one as Stage} />
  return (
    <>
      <dt>{t('preview.stage')}</dt>
      <dd>
        <Change
          before={tag(stage.before)}
          after={stage.after === null ? t('preview.caseOver') : tag(stage.after)}
          isSame={stage.before === stage.after}
        />
      </dd>
      {(promise.before !== null || promise.after !== null) && (
        <>
          <dt>{t('preview.promise')}</dt>
          <dd>
            <Change
              before={promise.before === null ? '—' : codeWord('promise', promise.before, t)}
              after={promise.after === null ? '—' : codeWord('promise', promise.after, t)}
              isSame={promise.before === promise.after}
            />
          </dd>
        </>
      )}
    </>
  )
}

function PlanChanges({ plans }: { plans: Preview['plans'] }): ReactNode {
  const t = useText('repayments')
  return (
    <div className="plain-scroll" role="region" aria-label={t('preview.plans')} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th className="is-right">{t('col.serialNo')}</th>
            <th>{t('col.paymentStatus')}</th>
            <th className="is-right">{t('col.overdueFine')}</th>
            <th className="is-right">{t('preview.cleared')}</th>
            <th className="is-right">{t('col.outstanding')}</th>
          </tr>
        </thead>
        <tbody>
          {plans.map((plan) => {
            const { principal, interest, serviceFee, overdueFine } = plan.cleared
            return (
              <tr key={plan.planId}>
                <td className="is-right" title={plan.planId}>
                  {plan.serialNo}
                </td>
                <td>
                  <PlanKindTag kind={plan.kind} />{' '}
                  <StatusTag tone={planTone(plan.paymentStatus.after)}>
                    {codeWord('planStatus', plan.paymentStatus.after, t)}
                  </StatusTag>
                </td>
                <td className="is-right">
                  <Change
                    before={<Money paise={plan.overdueFine.before} />}
                    after={<Money paise={plan.overdueFine.after} />}
                    isSame={plan.overdueFine.before === plan.overdueFine.after}
                  />
                </td>
                <td className="is-right">
                  <Money paise={principal + interest + serviceFee + overdueFine} />
                </td>
                <td className="is-right">
                  <Money paise={plan.outstanding.after} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Change({
  before,
  after,
  isSame,
}: {
  before: ReactNode
  after: ReactNode
  isSame: boolean
}): ReactNode {
  const t = useText('repayments')
  if (isSame) return <span className="is-same">{after}</span>
  return (
    <span>
      {before}{' '}
      <span className="money-arrow" role="img" aria-label={t('preview.becomes')}>
        →
      </span>{' '}
      {after}
    </span>
  )
}
