/** What other features may use of tickets. */
export { CaseTickets, NewTicketButton } from './forms/CaseTickets.tsx'
