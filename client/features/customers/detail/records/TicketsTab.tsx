/** The customer's tickets. */
import type { ReactNode } from 'react'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag, type Tone } from '#client/ui/value/StatusTag.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { Away, type OfCustomer, Rows, Section } from './record-parts.tsx'
import { ticketPath } from '#shared/tickets/ticket-path.ts'

const PROGRESS_TONES: Record<string, Tone> = {
  unprocessed: 'warn',
  followingUp: 'info',
  finished: 'neutral',
}

export function TicketsTab({ userId }: OfCustomer): ReactNode {
  const t = useCustomerText()
  return (
    <Section userId={userId} sections={['tickets']}>
      {({ tickets = [] }) => (
        <Rows
          label={t('tab.tickets')}
          none={t('empty.tickets')}
          rows={tickets}
          idOf={(one) => one.feedbackId}
          columns={[
            {
              head: t('tickets:detail.title'),
              cell: (one) => <Away to={ticketPath(one.feedbackId, null)}>{one.feedbackId}</Away>,
            },
            { head: t('head.type'), cell: (one) => t(`tickets:type.${one.type}`) },
            {
              head: t('orders:col.status'),
              cell: (one) => (
                <StatusTag tone={PROGRESS_TONES[one.progress] ?? 'neutral'}>
                  {t(`tickets:progress.${one.progress}`)}
                </StatusTag>
              ),
            },
            { head: t('orders:col.orderId'), cell: (one) => one.orderId ?? '—' },
            { head: t('head.processor'), cell: (one) => one.processorName ?? '—' },
            { head: t('head.created'), cell: (one) => <IstTime value={one.createTime} /> },
            { head: t('head.due'), cell: (one) => <IstTime value={one.dueTime} /> },
            { head: t('head.ended'), cell: (one) => <IstTime value={one.finishTime} /> },
          ]}
        />
      )}
    </Section>
  )
}
