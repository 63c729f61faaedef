/** The operations queue of tickets. */
import type { ReactNode } from 'react'
import { TicketScreen } from './TicketScreen.tsx'

export function Screen(): ReactNode {
  return <TicketScreen menu="operation_ticket" />
}
