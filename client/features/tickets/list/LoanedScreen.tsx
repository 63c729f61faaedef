/** The post-loan queue of tickets (screens.md 7.7). */
import type { ReactNode } from 'react'
import { TicketScreen } from './TicketScreen.tsx'

export function Screen(): ReactNode {
  return <TicketScreen menu="loaned_ticket" />
}
