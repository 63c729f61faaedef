import type { IconName } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { DetailHead } from '#client/screen/detail/DetailHead.tsx'
import { Figure, Figures } from '#client/screen/detail/Figures.tsx'
import { GrantButton } from '#client/features/coupons/public.tsx'
import { NewTicketButton } from '#client/features/tickets/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { Permit } from '#client/session/page.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { type CustomerDetail, editContact } from '#shared/customers/customer-detail-api.ts'
import { addToBlacklist } from '#shared/customers/customer-list-api.ts'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { openCustomerWindow } from '../customer-words.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'

export interface Leave {
  text: string
  icon: IconName
  run: () => void
}

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
    <DetailHead
      leave={leave}
      title={name}
      id={userId}
      copyLabel={t('action.copyId')}
      beside={<span className="detail-more tabular">{userId}</span>}
      others={others}
      tags={
        <>
          <StatusTag tone={detail.customerClass === 'old' ? 'good' : 'info'}>
            {t(`orders:customer.classes.${detail.customerClass}`)}
          </StatusTag>
          {detail.certified ? (
            <StatusTag tone="good">{t('orders:customer.certified')}</StatusTag>
          ) : null}
          {detail.erasedTime === null ? null : (
            <StatusTag tone="info">
              {t('detail.erased')} <IstTime value={detail.erasedTime} style="day" />
            </StatusTag>
          )}
          {detail.blacklisted ? <StatusTag tone="bad">{t('listed.yes')}</StatusTag> : null}
        </>
      }
      actions={
        <>
          <Permit codes={editContact.access}>
            <ActionButton
              icon="edit"
              text={t('action.edit')}
              keys="E"
              disabledReason={offline}
              onClick={onEdit}
            />
          </Permit>
          {detail.blacklisted ? null : (
            <GrantButton codes={['info:coupon']} customer={{ userId, name }} />
          )}
          <NewTicketButton customer={{ userId, userName: name, orderId: null }} onDone={onTicket} />
          {isWindow ? null : (
            <ActionButton
              icon="share"
              text={t('action.window')}
              onClick={() => openCustomerWindow(userId)}
            />
          )}
          <Permit codes={addToBlacklist.access}>
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
        </>
      }
    >
      <Figures className="customer-figures">
        <Figure label={t('col.entryCount')}>{detail.entryCount}</Figure>
        <Figure label={t('col.orderCount')}>{detail.orderCount}</Figure>
        <Figure label={t('col.settlementCount')}>{detail.settlementCount}</Figure>
        <Figure label={t('col.registerTime')}>
          <IstTime value={detail.registerTime} />
        </Figure>
        <Figure label={t('col.lastActiveTime')}>
          <IstTime value={detail.lastActiveTime} />
        </Figure>
      </Figures>
    </DetailHead>
  )
}
