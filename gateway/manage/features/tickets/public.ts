/** What manage.ts may use of the tickets. */
export { ticketDistribute } from './clock/ticket-distribute-job.ts'
export { ticketMessage } from './clock/ticket-message-job.ts'
export { ticketSla } from './clock/ticket-sla-job.ts'
export { ticketSweep } from './clock/ticket-sweep-job.ts'
export { assignJob as assignTicketsJob } from './desk/assign-tickets.ts'
export { releaseLeasesOf } from './desk/return-ticket.ts'
export { decideTransferJob } from './handovers/decide-transfers.ts'
export { transferJob } from './handovers/transfer-tickets.ts'
