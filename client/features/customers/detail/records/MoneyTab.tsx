/** The customer's repayment plans and payments. */
import type { ReactNode } from 'react'
import { PlanKindTag, PlanLink } from '#client/features/repayments/public.tsx'
import { actorLabel } from '#client/session/actor-label.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag, type Tone } from '#client/ui/value/StatusTag.tsx'
import { PayerUpi } from '../../PayerUpi.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { type OfCustomer, Rows, Section } from './record-parts.tsx'

const PLAN_TONES: Record<string, Tone> = {
  paid: 'good',
  overdue: 'warn',
  writtenOff: 'bad',
  processing: 'info',
  partlyPaid: 'info',
}
const PAY_TONES: Record<string, Tone> = { inProgress: 'info', success: 'good', fail: 'bad' }

export function MoneyTab({ userId }: OfCustomer): ReactNode {
  const t = useCustomerText()
  const col = (name: string) => t(`repayments:col.${name}`)
  return (
    <Section userId={userId} sections={['plans', 'records']}>
      {({ plans, records, customerCredit }) => (
        <>
          {customerCredit !== undefined && (
            <p className="customer-credit">
              {t('ledger:accounts.customerCredit')} <Money paise={customerCredit} />
            </p>
          )}
          {plans && (
            <>
              <h2>{t('heading.plans')}</h2>
              <Rows
                label={t('heading.plans')}
                none={t('empty.plans')}
                rows={plans}
                idOf={(plan) => plan.planId}
                columns={[
                  {
                    head: col('planId'),
                    cell: (plan) => <PlanLink planId={plan.planId}>{plan.planId}</PlanLink>,
                  },
                  { head: col('orderId'), cell: (plan) => plan.orderId },
                  { head: col('serialNo'), isRight: true, cell: (plan) => plan.serialNo },
                  {
                    head: col('dueTime'),
                    cell: (plan) => (
                      <>
                        <IstTime value={plan.dueTime} style="day" />{' '}
                        <PlanKindTag kind={plan.kind} />
                      </>
                    ),
                  },
                  {
                    head: col('paymentStatus'),
                    cell: (plan) => (
                      <StatusTag tone={PLAN_TONES[plan.paymentStatus] ?? 'neutral'}>
                        {t(`repayments:planStatus.${plan.paymentStatus}`)}
                      </StatusTag>
                    ),
                  },
                  {
                    head: col('overdueDays'),
                    isRight: true,
                    cell: (plan) => plan.overdueDays || '—',
                  },
                  {
                    head: col('amountDue'),
                    isRight: true,
                    cell: (plan) => <Money paise={plan.amountDue} />,
                  },
                  {
                    head: col('overdueFine'),
                    isRight: true,
                    cell: (plan) => <Money paise={plan.overdueFine} />,
                  },
                  {
                    head: col('paidAmount'),
                    isRight: true,
                    cell: (plan) => <Money paise={plan.paidAmount} />,
                  },
                  {
                    head: col('outstanding'),
                    isRight: true,
                    cell: (plan) => <Money paise={plan.outstanding} />,
                  },
                ]}
              />
            </>
          )}
          {records && (
            <>
              <h2>{t('heading.records')}</h2>
              <Rows
                label={t('heading.records')}
                none={t('empty.records')}
                rows={records}
                idOf={(record) => record.recordId}
                columns={[
                  {
                    head: col('recordId'),
                    cell: (record) =>
                      record.planId === null ? (
                        record.recordId
                      ) : (
                        <PlanLink planId={record.planId}>{record.recordId}</PlanLink>
                      ),
                  },
                  { head: col('orderId'), cell: (record) => record.orderId ?? '—' },
                  {
                    head: col('amount'),
                    isRight: true,
                    cell: (record) => <Money paise={record.amount} />,
                  },
                  {
                    head: col('payState'),
                    cell: (record) => (
                      <StatusTag tone={PAY_TONES[record.payState] ?? 'neutral'}>
                        {t(`repayments:payState.${record.payState}`)}
                      </StatusTag>
                    ),
                  },
                  {
                    head: col('repaymentType'),
                    cell: (record) => t(`repayments:type.${record.repaymentType}`),
                  },
                  { head: col('payTime'), cell: (record) => <IstTime value={record.payTime} /> },
                  {
                    head: col('channel'),
                    cell: (record) => t(`repayments:channel.${record.channel}`),
                  },
                  { head: col('utr'), cell: (record) => record.utr ?? '—' },
                  {
                    head: col('upi'),
                    cell: (record) => (
                      <PayerUpi userId={userId} recordId={record.recordId} upi={record.upi} />
                    ),
                  },
                  { head: col('operatorName'), cell: (record) => actorLabel(record.operatorName) },
                ]}
              />
            </>
          )}
        </>
      )}
    </Section>
  )
}
