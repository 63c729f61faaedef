/** Automatic messages to the customer, with the masked recipient at the time of sending. */
import type { ReactNode } from 'react'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { Rows, Section } from './record-parts.tsx'

export function MessagesTab({ userId }: { userId: string }): ReactNode {
  const t = useCustomerText()
  return (
    <Section userId={userId} sections={['messages']}>
      {({ messages = [] }) => (
        <Rows
          label={t('tab.messages')}
          none={t('empty.messages')}
          rows={messages}
          idOf={(one) => one.messageId}
          columns={[
            { head: t('head.sent'), cell: (one) => <IstTime value={one.time} /> },
            {
              head: t('head.message'),
              cell: (one) => t(`message.${one.template}`, { defaultValue: one.template }),
            },
            { head: t('head.way'), cell: (one) => t(`collection:contactWay.${one.way}`) },
            {
              head: t('head.recipient'),
              cell: (one) => <span className="tabular">{one.recipient ?? '—'}</span>,
            },
            {
              head: t('col.state'),
              cell: (one) => (
                <StatusTag tone={one.state === 'sent' ? 'good' : 'bad'}>
                  {t(`messageState.${one.state}`)}
                </StatusTag>
              ),
            },
          ]}
        />
      )}
    </Section>
  )
}
