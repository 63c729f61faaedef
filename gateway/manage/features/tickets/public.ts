/** What other features may use of tickets. */
export { DUE_SOON, isWorkedOnBy } from './lists/ticket-list.ts'
export { openTicket } from './desk/open-ticket.ts'
