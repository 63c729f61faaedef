/** The customer's blacklist entries. */
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { addToBlacklist, type BlacklistRow } from '#shared/customers/customer-list-api.ts'
import { sourceTone } from '../../customer-words.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { type OfCustomer, Rows, Section } from './record-parts.tsx'

export function BlacklistEntriesTab({
  userId,
  onEnd,
}: OfCustomer & { onEnd: (entry: BlacklistRow) => void }): ReactNode {
  const t = useCustomerText()
  const { reason: offline } = useConnection()
  const mayEnd = usePermission(addToBlacklist.access)
  return (
    <Section userId={userId} sections={['blacklist']}>
      {({ blacklist = [] }) => (
        <Rows
          label={t('tab.blacklist')}
          none={t('empty.blacklist')}
          rows={blacklist}
          idOf={(entry) => entry.blackId}
          columns={[
            { head: t('col.blackId'), cell: (entry) => entry.blackId },
            {
              head: t('col.state'),
              cell: (entry) => (
                <StatusTag tone={entry.endTime === null ? 'bad' : 'neutral'}>
                  {t(entry.endTime === null ? 'listed.yes' : 'listed.ended')}
                </StatusTag>
              ),
            },
            ...(mayEnd && blacklist.some((entry) => entry.endTime === null)
              ? [
                  {
                    head: t('action.unblacklist'),
                    cell: (entry: BlacklistRow) =>
                      entry.endTime === null ? (
                        <ActionButton
                          size="small"
                          icon="unlock"
                          text={t('action.unblacklist')}
                          disabledReason={offline}
                          onClick={() => onEnd(entry)}
                        />
                      ) : null,
                  },
                ]
              : []),
            { head: t('col.time'), cell: (entry) => <IstTime value={entry.time} /> },
            {
              head: t('col.source'),
              cell: (entry) => (
                <StatusTag tone={sourceTone(entry.source)}>{t(`source.${entry.source}`)}</StatusTag>
              ),
            },
            {
              head: t('col.reason'),
              cell: (entry) => <span className="customer-text">{entry.reason}</span>,
            },
            { head: t('col.operatorName'), cell: (entry) => entry.operatorName ?? '—' },
            { head: t('col.endTime'), cell: (entry) => <IstTime value={entry.endTime} /> },
            { head: t('col.endName'), cell: (entry) => entry.endName ?? '—' },
            {
              head: t('col.endReason'),
              cell: (entry) => <span className="customer-text">{entry.endReason ?? '—'}</span>,
            },
          ]}
        />
      )}
    </Section>
  )
}
