/**
 * The steps of a ticket as a conversation: the customer on the left, staff on the right, other
 * steps as plain lines in between.
 */
import './conversation.css'
import { useText } from '#client/base/use-text.ts'
import { Icon } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { FileButtons } from '#client/features/files/public.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import type { KeptFile } from '#shared/kernel/kept-file.ts'
import { ticketFile } from '#shared/tickets/tickets-api.ts'
import type { TicketRow, TicketStep, Viewer } from '../ticket-types.ts'

/** Steps with a text of their own; `created` repeats the ticket's content. */
const SPOKEN: ReadonlySet<TicketStep['kind']> = new Set([
  'reply',
  'note',
  'customerMessage',
  'resolved',
])
/** Steps whose content is the new processor or the proposed one. */
const NAMING: ReadonlySet<TicketStep['kind']> = new Set([
  'assigned',
  'distributed',
  'handoverAsked',
  'handoverApproved',
])
/** Scrolled closer to the end than this, the view follows new steps. */
const NEAR_END_PX = 80

export function Conversation({
  ticket,
  steps,
  viewer,
}: {
  ticket: TicketRow
  steps: readonly TicketStep[] | undefined
  viewer: Viewer
}): ReactNode {
  const t = useText('tickets')
  const scroller = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const count = steps?.length ?? 0
  useEffect(() => {
    if (follows.current && scroller.current)
      scroller.current.scrollTop = scroller.current.scrollHeight
  }, [count])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // a banner or a growing reply form takes height from below
    const watcher = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return (
    <div
      className="ticket-log"
      ref={scroller}
      tabIndex={0}
      role="log"
      aria-label={t('detail.conversation')}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX
      }}
    >
      <ol>
        <li className="said said-customer">
          <p className="said-who">
            <strong>{ticket.userName}</strong> · {t(`way.${ticket.contactWay}`)} ·{' '}
            <IstTime value={ticket.createTime} />
          </p>
          <p className="said-text">{ticket.content}</p>
          <Files files={ticket.files} feedbackId={ticket.feedbackId} />
        </li>
        {steps
          ?.filter((step) => step.kind !== 'created')
          .map((step) =>
            SPOKEN.has(step.kind) ? (
              <Message key={step.stepId} step={step} ticket={ticket} viewer={viewer} />
            ) : (
              <Done key={step.stepId} step={step} />
            ),
          )}
      </ol>
      {steps === undefined && <div className="bp6-skeleton ticket-skeleton" />}
    </div>
  )
}

function Message({
  step,
  ticket,
  viewer,
}: {
  step: TicketStep
  ticket: TicketRow
  viewer: Viewer
}): ReactNode {
  const t = useText('tickets')
  const isCustomer = step.kind === 'customerMessage'
  const who = isCustomer ? ticket.userName : (step.operatorName ?? '')
  const look = isCustomer
    ? 'said-customer'
    : step.internal || step.kind === 'note'
      ? 'said-note'
      : 'said-lender'
  return (
    <li className={`said ${look}`}>
      <p className="said-who">
        {look === 'said-note' && <Icon icon="lock" size={12} />} <strong>{who}</strong>
        {step.operatorId === viewer.userId && ` (${t('you')})`} ·{' '}
        {look === 'said-note' ? `${t('reply.internal')} · ` : ''}
        {step.kind === 'resolved' ? `${t('step.resolved')} · ` : ''}
        <IstTime value={step.time} />
      </p>
      {step.content && <p className="said-text">{step.content}</p>}
      <Files files={step.files} feedbackId={ticket.feedbackId} />
      {step.remark && (
        <p className="said-remark">
          {t('reply.remark')}: {step.remark}
        </p>
      )}
    </li>
  )
}

function Files({
  files,
  feedbackId,
}: {
  files: readonly KeptFile[]
  feedbackId: string
}): ReactNode {
  const t = useText('tickets')
  return (
    <FileButtons
      files={files}
      source={{ endpoint: ticketFile, of: { feedbackId } }}
      title={t('detail.filesOf', { feedbackId })}
    />
  )
}

function Done({ step }: { step: TicketStep }): ReactNode {
  const t = useText('tickets')
  const name = NAMING.has(step.kind) ? step.content : null
  const isAge = step.kind === 'autoEscalated'
  const reason = isAge ? null : name === null ? (step.content ?? step.remark) : step.remark
  return (
    <li className="done">
      <span>
        {t(`step.${step.kind}`)}
        {/* what a job did says so itself */}
        {step.operatorId !== null && <> · {step.operatorName}</>}
        {name !== null && ` → ${name}`}
        {isAge && step.content !== null && (
          <>
            {' '}
            · {t('step.cameOn')} <IstTime value={step.content} style="day" />
          </>
        )}{' '}
        · <IstTime value={step.time} />
      </span>
      {reason && <q>{reason}</q>}
    </li>
  )
}
