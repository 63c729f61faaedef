/** The tickets of a borrower on the page of a case or customer, with a button for a new one. */
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { Permit } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { addTicket } from '#shared/tickets/tickets-api.ts'
import { TICKET_MENUS } from '../ticket-types.ts'
import { progressTone } from '../ticket-words.ts'
import { AddTicketForm, type AddTicketFormProps } from './AddTicketForm.tsx'
import { ticketPath } from '#shared/tickets/ticket-path.ts'

/** Shown only when the page grants it. */
export function NewTicketButton({
  customer,
  variant,
  onDone,
}: {
  customer: NonNullable<AddTicketFormProps['customer']>
  variant?: 'minimal'
  onDone: () => void
}): ReactNode {
  const t = useText('tickets')
  const { reason: offline } = useConnection()
  const [isOpen, setOpen] = useState(false)
  return (
    <Permit codes={addTicket.access}>
      <ActionButton
        {...(variant ? { variant } : {})}
        icon="envelope"
        text={t('action.add')}
        disabledReason={offline}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <AddTicketForm customer={customer} onDone={onDone} onClose={() => setOpen(false)} />
      )}
    </Permit>
  )
}

export function CaseTickets({
  tickets,
}: {
  tickets: readonly { feedbackId: string; type: number; progress: string; createTime: string }[]
}): ReactNode {
  const t = useText('tickets')
  const { index } = useSession()
  const menu = TICKET_MENUS.find((name) => index.byName.has(name))
  return (
    <ul className="case-list">
      {tickets.map((ticket) => (
        <li key={ticket.feedbackId}>
          {menu === undefined ? (
            <span className="tabular">{ticket.feedbackId}</span>
          ) : (
            <Link className="collection-link tabular" href={ticketPath(ticket.feedbackId, null)}>
              {ticket.feedbackId}
            </Link>
          )}{' '}
          {t(`type.${ticket.type}`)}{' '}
          <StatusTag tone={progressTone(ticket.progress)}>
            {t(`progress.${ticket.progress}`)}
          </StatusTag>{' '}
          <IstTime value={ticket.createTime} style="day" />
        </li>
      ))}
    </ul>
  )
}
