/** The customer's collection cases. */
import type { ReactNode } from 'react'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { type Stage, StageTag, StatusTag, type Tone } from '#client/ui/value/StatusTag.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { Away, type OfCustomer, Rows, Section, useMenu } from './record-parts.tsx'
import { casePath } from '#shared/collection/case-path.ts'

const CASE_TONES: Record<string, Tone> = {
  unallocated: 'warn',
  allocating: 'info',
  promised: 'info',
  held: 'warn',
}

export function CasesTab({ userId }: OfCustomer): ReactNode {
  const t = useCustomerText()
  const menu = useMenu(['pedding_list', 'peded_list'])
  return (
    <Section userId={userId} sections={['cases']}>
      {({ cases: found = { cases: [], follows: [] } }) => (
        <>
          <h2>{t('heading.cases')}</h2>
          <Rows
            label={t('heading.cases')}
            none={t('empty.cases')}
            rows={found.cases}
            idOf={(one) => one.caseId}
            columns={[
              {
                head: t('head.caseId'),
                cell: (one) =>
                  menu === null ? (
                    one.caseId
                  ) : (
                    <Away to={casePath(one.caseId, menu)}>{one.caseId}</Away>
                  ),
              },
              { head: t('orders:col.orderId'), cell: (one) => one.orderId },
              { head: t('head.stage'), cell: (one) => <StageTag stage={one.stageId as Stage} /> },
              {
                head: t('orders:col.status'),
                cell: (one) => (
                  <StatusTag tone={CASE_TONES[one.state] ?? 'neutral'}>
                    {t(`collection:state.${one.state}`)}
                  </StatusTag>
                ),
              },
              { head: t('orders:col.overdueDays'), isRight: true, cell: (one) => one.overdueDays },
              {
                head: t('orders:col.outstanding'),
                isRight: true,
                cell: (one) => <Money paise={one.outstanding} />,
              },
              { head: t('head.collector'), cell: (one) => one.collectorName ?? '—' },
              {
                head: t('head.promise'),
                cell: (one) =>
                  one.ptpAmount === null ? (
                    '—'
                  ) : (
                    <>
                      <Money paise={one.ptpAmount} />{' '}
                      {one.ptpState !== null && t(`collection:ptpState.${one.ptpState}`)}
                    </>
                  ),
              },
              { head: t('head.ended'), cell: (one) => <IstTime value={one.endTime} /> },
            ]}
          />
          <h2>{t('heading.follows')}</h2>
          <Rows
            label={t('heading.follows')}
            none={t('empty.follows')}
            rows={found.follows}
            idOf={(one) => one.followId}
            columns={[
              { head: t('head.created'), cell: (one) => <IstTime value={one.createTime} /> },
              { head: t('head.caseId'), cell: (one) => one.caseId },
              { head: t('head.way'), cell: (one) => t(`collection:contactWay.${one.contactWay}`) },
              {
                head: t('head.result'),
                cell: (one) =>
                  [
                    t(`collection:contactResult.${one.contactResult}`),
                    one.willingness === null ? '' : t(`collection:willingness.${one.willingness}`),
                  ]
                    .filter(Boolean)
                    .join(' · '),
              },
              {
                head: t('head.promise'),
                cell: (one) =>
                  one.ptpAmount === null ? (
                    '—'
                  ) : (
                    <>
                      <Money paise={one.ptpAmount} /> <IstTime value={one.ptpTime} style="day" />
                    </>
                  ),
              },
              {
                head: t('orders:tab.remarks'),
                cell: (one) => <span className="customer-text">{one.remark}</span>,
              },
              { head: t('col.operatorName'), cell: (one) => one.operatorName },
            ]}
          />
        </>
      )}
    </Section>
  )
}
