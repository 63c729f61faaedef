/** All tickets: intake, search and statement. */
import type { ReactNode } from 'react'
import { TicketScreen } from './TicketScreen.tsx'

export function Screen(): ReactNode {
  return <TicketScreen menu="user_feedback" />
}
