import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { copyText } from '#client/ui/value/copy.ts'
import { Presence } from '#client/ui/value/Presence.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { SlaClock } from '../SlaClock.tsx'
import type { TicketDetail } from '../ticket-types.ts'
import { followTone, handoverTone, levelTone, progressTone } from '../ticket-words.ts'

interface TicketHeadProps {
  detail: TicketDetail
  /** Other people who have it open. */
  others: readonly PresenceMember[]
  isDocked: boolean
  onPage: (() => void) | null
  onLeave: (() => void) | null
}

/** The ticket's number, state, time left and the other people who have it open. */
export function TicketHead({
  detail: { ticket },
  others,
  isDocked,
  onPage,
  onLeave,
}: TicketHeadProps): ReactNode {
  const t = useText('tickets')
  return (
    <header className="ticket-head">
      <div className="ticket-title">
        {!isDocked && onLeave && (
          <Button
            variant="minimal"
            icon="arrow-left"
            aria-label={t('ui:detail.back')}
            title={t('ui:detail.back')}
            onClick={onLeave}
          />
        )}
        <h2>
          {t(`type.${ticket.type}`)} <span className="tabular">{ticket.feedbackId}</span>
        </h2>
        <Button
          variant="minimal"
          size="small"
          icon="duplicate"
          aria-label={t('action.copyId')}
          title={t('action.copyId')}
          onClick={() => void copyText(ticket.feedbackId)}
        />
        <span className="ticket-others">
          <Presence members={others} />
        </span>
        <span className="ticket-head-end">
          {onPage && (
            <Button
              variant="minimal"
              size="small"
              icon="document"
              aria-label={t('action.page')}
              title={t('action.page')}
              onClick={onPage}
            />
          )}
          {isDocked && onLeave && (
            <Button
              variant="minimal"
              size="small"
              icon="cross"
              aria-label={t('action.close')}
              title={t('action.close')}
              onClick={onLeave}
            />
          )}
        </span>
      </div>
      <div className="ticket-marks">
        <SlaClock row={ticket} />
        <StatusTag tone={progressTone(ticket.progress)}>
          {t(`progress.${ticket.progress}`)}
        </StatusTag>
        {ticket.progress === 'followingUp' && (
          <StatusTag tone={followTone(ticket.followState)}>
            {t(`follow.${ticket.followState}`)}
          </StatusTag>
        )}
        {ticket.handoverState === 'pending' && (
          <StatusTag tone={handoverTone(ticket.handoverState)}>
            {t(`handover.${ticket.handoverState}`)}
          </StatusTag>
        )}
        {ticket.level > 0 && (
          <StatusTag tone={levelTone(ticket.level)}>
            {t('level', { level: ticket.level })}
          </StatusTag>
        )}
        <StatusTag tone="neutral">{t(`queue.${ticket.queue}`)}</StatusTag>
        {ticket.evaluation !== null && (
          <StatusTag tone={ticket.evaluation <= 2 ? 'bad' : 'good'}>
            {t('evaluation', { stars: ticket.evaluation })}
          </StatusTag>
        )}
      </div>
    </header>
  )
}
