/** What other features may use of tickets. */
export { CaseTickets, NewTicketButton } from './forms/CaseTickets.tsx'
export { ticketPath } from './ticket-words.ts'
