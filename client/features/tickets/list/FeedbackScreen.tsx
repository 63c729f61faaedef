/** Intake and search of all tickets, and their statement (screens.md 2.3). */
import type { ReactNode } from 'react'
import { TicketScreen } from './TicketScreen.tsx'

export function Screen(): ReactNode {
  return <TicketScreen menu="user_feedback" />
}
