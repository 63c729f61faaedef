/** One line that explains the ticket's state, or what others just did with it. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useExpiring } from '#client/live/use-expiring.ts'
import { Banner, type BannerMessage } from '#client/ui/feedback/Banner.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import type { OpenForm } from '../forms/TicketForms.tsx'
import { actionsOf } from '../ticket-rules.ts'
import type { TicketDetail, Viewer } from '../ticket-types.ts'
import { receiverOf } from '../ticket-words.ts'
import type { TicketUpdate } from './ticket-update.ts'

interface TicketBannerProps {
  detail: TicketDetail
  viewer: Viewer
  update: TicketUpdate | null
  offline: string | null
  onNext: (() => void) | null
  onForm: (form: OpenForm) => void
}

export function TicketBanner(props: TicketBannerProps): ReactNode {
  return <Banner message={useMessage(props)} />
}

function useMessage({
  detail,
  viewer,
  update,
  offline,
  onNext,
  onForm,
}: TicketBannerProps): BannerMessage | null {
  const t = useText('tickets')
  const { ticket } = detail
  const isMine = ticket.processorId === viewer.userId
  const isExpiring = useExpiring(ticket.leaseUntil, isMine)
  const next = onNext && <ActionButton size="small" text={t('action.next')} onClick={onNext} />
  if (update?.kind === 'leaseOver' && !isMine)
    return {
      tone: 'bad',
      icon: 'lock',
      text: `${t('banner.leaseOver')} ${t('banner.kept')}`,
      isUrgent: true,
      action: next,
    }
  if (update?.kind === 'takenBy' && !isMine)
    return {
      tone: 'warn',
      icon: 'swap-horizontal',
      text: t('banner.takenBy', { name: update.name }),
      isUrgent: true,
      action: next,
    }
  if (ticket.handoverState === 'pending' && ticket.handoverId !== null) return handoverMessage()
  if (ticket.handoverState === 'pending')
    return { tone: 'info', icon: 'exchange', text: t('refused.pending') }
  if (isExpiring)
    return { tone: 'warn', icon: 'stopwatch', text: t('banner.expiring'), isUrgent: true }
  if (update?.kind === 'nowYours' && isMine)
    return { tone: 'good', icon: 'exchange', text: t('banner.nowYours', { name: update.name }) }
  if (update?.kind === 'customerWrote')
    return { tone: 'info', icon: 'chat', text: t('banner.customerWrote') }
  if (update?.kind === 'reopened') return { tone: 'warn', icon: 'redo', text: t('banner.reopened') }
  if (ticket.progress === 'finished')
    return { tone: 'info', icon: 'tick-circle', text: t('banner.finished'), action: next }
  return null

  function handoverMessage(): BannerMessage {
    const decides = actionsOf(ticket, viewer).some((action) => action.id === 'approve')
    const params = {
      name: ticket.handoverFrom ?? '',
      to: receiverOf(ticket),
      reason: ticket.handoverReason ?? '',
    }
    if (!decides) return { tone: 'info', icon: 'exchange', text: t('banner.waiting', params) }
    const openForm = (kind: 'approve' | 'reject') => () => onForm({ kind, rows: [ticket] })
    return {
      tone: 'warn',
      icon: 'exchange',
      text: t(ticket.handoverToId === viewer.userId ? 'banner.askedYou' : 'banner.asked', params),
      action: (
        <>
          <ActionButton
            size="small"
            intent="primary"
            text={t('action.approve')}
            keys="A"
            disabledReason={offline}
            onClick={openForm('approve')}
          />
          <ActionButton
            size="small"
            text={t('action.reject')}
            disabledReason={offline}
            onClick={openForm('reject')}
          />
        </>
      ),
    }
  }
}
