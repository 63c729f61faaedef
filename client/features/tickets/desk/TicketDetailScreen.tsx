/** /detail4: one ticket on its own page. */
import '../tickets.css'
import { type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { useGoBack } from '#client/screen/use-go-back.ts'
import { REPLY } from '#shared/tickets/ticket-path.ts'
import { startTicketLeases } from '../ticket-lease.ts'
import { useViewer } from '../use-viewer.ts'
import { TicketPanel } from './TicketPanel.tsx'

export function Screen(): ReactNode {
  const [params] = useSearchParams()
  const feedbackId = params.get('feedbackId') ?? ''
  const { userId } = useViewer()
  useEffect(() => startTicketLeases(userId), [userId])
  return (
    <TicketPanel
      key={feedbackId}
      feedbackId={feedbackId}
      repliesFirst={globalThis.location.hash === `#${REPLY}`}
      onBack={useGoBack('operation_ticket')}
    />
  )
}
