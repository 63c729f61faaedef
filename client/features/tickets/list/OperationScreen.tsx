/** The operations queue of tickets (screens.md 7.6). */
import type { ReactNode } from 'react'
import { TicketScreen } from './TicketScreen.tsx'

export function Screen(): ReactNode {
  return <TicketScreen menu="operation_ticket" />
}
