import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { NewTicketButton } from '#client/features/tickets/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { Permit } from '#client/session/page.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { copyText } from '#client/ui/value/copy.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Presence } from '#client/ui/value/Presence.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { CustomerDetail } from '#shared/customers/customer-detail-api.ts'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { openCustomerWindow } from '../customer-words.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import type { Leave } from './CustomerPage.tsx'

interface CustomerHeadProps {
  detail: CustomerDetail
  others: readonly PresenceMember[]
  leave: Leave
  isWindow: boolean
  onEdit: () => void
  onBlacklist: () => void
  /** Called after a ticket was created. */
  onTicket: () => void
}

/** Identity, status and available actions of the customer. */
export function CustomerHead({
  detail,
  others,
  leave,
  isWindow,
  onEdit,
  onBlacklist,
  onTicket,
}: CustomerHeadProps): ReactNode {
  const t = useCustomerText()
  const { reason: offline } = useConnection()
  const { userId, name } = detail
  return (
    <header className="customer-head">
      <div className="customer-title">
        <Button
          variant="minimal"
          icon={leave.icon}
          aria-label={leave.text}
          title={leave.text}
          onClick={leave.run}
        />
        <h1>{name}</h1>
        <span className="customer-id tabular">{userId}</span>
        <Button
          variant="minimal"
          size="small"
          icon="duplicate"
          aria-label={t('action.copyId')}
          title={t('action.copyId')}
          onClick={() => void copyText(userId)}
        />
        <StatusTag tone={detail.customerClass === 'old' ? 'good' : 'info'}>
          {t(`orders:customer.classes.${detail.customerClass}`)}
        </StatusTag>
        {detail.certified ? (
          <StatusTag tone="good">{t('orders:customer.certified')}</StatusTag>
        ) : null}
        {detail.blacklisted ? <StatusTag tone="bad">{t('listed.yes')}</StatusTag> : null}
        <span className="customer-actions">
          {others.length > 0 ? (
            <span className="customer-others">
              {t('detail.alsoHere')} <Presence members={others} />
            </span>
          ) : null}
          <Permit codes={['info:edit']}>
            <ActionButton
              icon="edit"
              text={t('action.edit')}
              keys="E"
              disabledReason={offline}
              onClick={onEdit}
            />
          </Permit>
          <NewTicketButton customer={{ userId, userName: name, orderId: null }} onDone={onTicket} />
          {isWindow ? null : (
            <ActionButton
              icon="share"
              text={t('action.window')}
              onClick={() => openCustomerWindow(userId)}
            />
          )}
          <Permit codes={['customer_list:blacklist']}>
            <ActionButton
              icon="ban-circle"
              intent="danger"
              variant="outlined"
              text={t('action.blacklist')}
              keys="B"
              disabledReason={detail.blacklisted ? t('problems:L-ON') : offline}
              onClick={onBlacklist}
            />
          </Permit>
        </span>
      </div>
      <dl className="customer-figures">
        <Figure label={t('col.entryCount')}>{detail.entryCount}</Figure>
        <Figure label={t('col.orderCount')}>{detail.orderCount}</Figure>
        <Figure label={t('col.settlementCount')}>{detail.settlementCount}</Figure>
        <Figure label={t('col.registerTime')}>
          <IstTime value={detail.registerTime} />
        </Figure>
        <Figure label={t('col.lastActiveTime')}>
          <IstTime value={detail.lastActiveTime} />
        </Figure>
      </dl>
    </header>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  )
}
