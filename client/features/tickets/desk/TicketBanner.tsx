/** One line that explains the ticket's state, or what others just did with it. */
import { useText } from '#client/base/use-text.ts'
import { Icon, type IconName } from '@blueprintjs/core'
import { type ReactNode, useEffect } from 'react'
import { alarm } from '#client/ui/feedback/announce.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { useSecond } from '#client/ui/value/clock.ts'
import type { OpenForm } from '../forms/TicketForms.tsx'
import { actionsOf } from '../ticket-rules.ts'
import type { TicketDetail, TicketRow, Viewer } from '../ticket-types.ts'
import { receiverOf } from '../ticket-words.ts'
import type { TicketUpdate } from './ticket-update.ts'

/** The lease ends although the tab sends heartbeats, because there was no input for long. */
const WARNING_MS = 60_000

interface TicketBannerProps {
  detail: TicketDetail
  viewer: Viewer
  update: TicketUpdate | null
  offline: string | null
  onNext: (() => void) | null
  onForm: (form: OpenForm) => void
}

interface Message {
  tone: 'bad' | 'warn' | 'good' | 'info'
  icon: IconName
  text: string
  /** Announced at once, because it stops the work. */
  isUrgent?: boolean
  action?: ReactNode
}

export function TicketBanner(props: TicketBannerProps): ReactNode {
  const message = useMessage(props)
  const text = message?.text ?? ''
  const isUrgent = message?.isUrgent ?? false
  useEffect(() => {
    if (isUrgent) alarm(text)
  }, [text, isUrgent])
  if (!message) return null
  return (
    <div className={`ticket-banner banner-${message.tone}`} role="status">
      <Icon icon={message.icon} /> <span className="ticket-banner-text">{message.text}</span>
      {message.action && <span className="ticket-banner-end">{message.action}</span>}
    </div>
  )
}

function useMessage({
  detail,
  viewer,
  update,
  offline,
  onNext,
  onForm,
}: TicketBannerProps): Message | null {
  const t = useText('tickets')
  const { ticket } = detail
  const isMine = ticket.processorId === viewer.userId
  const isExpiring = useExpiring(ticket, isMine)
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

  function handoverMessage(): Message {
    const decides = actionsOf(ticket, viewer).some((action) => action.id === 'approve')
    const params = {
      name: ticket.handoverFrom ?? '',
      to: receiverOf(ticket),
      reason: ticket.handoverReason ?? '',
    }
    if (!decides) return { tone: 'info', icon: 'exchange', text: t('banner.waiting', params) }
    const ask = (kind: 'approve' | 'reject') => () => onForm({ kind, rows: [ticket] })
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
            onClick={ask('approve')}
          />
          <ActionButton
            size="small"
            text={t('action.reject')}
            disabledReason={offline}
            onClick={ask('reject')}
          />
        </>
      ),
    }
  }
}

function useExpiring({ leaseUntil }: TicketRow, isMine: boolean): boolean {
  const second = useSecond()
  if (leaseUntil === null || !isMine) return false
  const left = Date.parse(leaseUntil) - second
  return left > 0 && left <= WARNING_MS
}
