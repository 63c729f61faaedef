import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { PlanKindTag, PlanLink } from '#client/features/repayments/public.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { OrderDetail } from '../order-types.ts'
import { codeWord, planTone } from '../order-words.ts'

const MONEY = [
  'amountDue',
  'principal',
  'interest',
  'serviceFee',
  'bounceCharge',
  'overdueFine',
  'reducedFees',
  'paidAmount',
  'outstanding',
] as const

/** Instalments with due days and amounts, and their totals. */
export function PlansTable({ plans }: { plans: OrderDetail['plans'] }): ReactNode {
  const t = useText('orders')
  const shown = MONEY.filter(
    (name) => name !== 'bounceCharge' || plans.some((plan) => plan[name] > 0),
  )
  if (plans.length === 0) return <Empty reason={t('plan.none')} icon="calendar" />
  return (
    <div className="plain-scroll" role="region" aria-label={t('tab.plans')} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th className="is-right">{t('plan.serialNo')}</th>
            <th>{t('col.dueTime')}</th>
            <th>{t('plan.paymentStatus')}</th>
            {shown.map((name) => (
              <th key={name} className="is-right">
                {t(`plan.${name}`)}
              </th>
            ))}
            <th className="is-right">{t('col.overdueDays')}</th>
            <th>{t('plan.paidTime')}</th>
          </tr>
        </thead>
        <tbody>
          {plans.map((plan) => (
            <tr key={plan.planId}>
              <td className="is-right">
                <PlanLink planId={plan.planId}>{plan.serialNo}</PlanLink>
              </td>
              <td>
                <IstTime value={plan.dueTime} style="day" /> <PlanKindTag kind={plan.kind} />
              </td>
              <td>
                <StatusTag tone={planTone(plan.paymentStatus)}>
                  {codeWord('plan.states', plan.paymentStatus, t)}
                </StatusTag>
              </td>
              {shown.map((name) => (
                <td key={name} className="is-right">
                  <Money paise={plan[name]} />
                </td>
              ))}
              <td className={`is-right${plan.overdueDays > 0 ? ' is-warn' : ''}`}>
                {plan.overdueDays}
              </td>
              <td>
                <IstTime value={plan.actualRepaymentTime} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th colSpan={3} scope="row">
              {t('table.total')}
            </th>
            {shown.map((name) => (
              <td key={name} className="is-right">
                <Money paise={plans.reduce((sum, plan) => sum + plan[name], 0)} />
              </td>
            ))}
            <td colSpan={2} />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
