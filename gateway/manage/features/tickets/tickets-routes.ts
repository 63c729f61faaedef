import type { FastifyInstance } from 'fastify'
import { inboundEvaluate, inboundFeedback } from '#shared/tickets/inbound-feedback-api.ts'
import * as api from '#shared/tickets/tickets-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveMachine, serveMachineAfter } from '#gateway/manage/kernel/machine.ts'
import { serveCommand, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { addTicket } from './desk/add-ticket.ts'
import { assignTickets } from './desk/assign-tickets.ts'
import { claimTicket } from './desk/claim-ticket.ts'
import { escalateTicket } from './desk/escalate-ticket.ts'
import { releaseTicket } from './desk/release-ticket.ts'
import { renewTicket } from './desk/renew-ticket.ts'
import { reopenTicket } from './desk/reopen-ticket.ts'
import { replyTicket } from './desk/reply-ticket.ts'
import { resolveTicket } from './desk/resolve-ticket.ts'
import { setDistribution } from './desk/set-distribution.ts'
import { listTakers } from './desk/takers.ts'
import { decideTransfers } from './handovers/decide-transfers.ts'
import { transferTickets } from './handovers/transfer-tickets.ts'
import { receiveEvaluation } from './inbound/receive-evaluation.ts'
import { receiveFeedback, takeFeedback } from './inbound/receive-feedback.ts'
import { ticketDetail, ticketSteps } from './lists/ticket-detail.ts'
import { ticketList } from './lists/ticket-list.ts'
import { ticketStatement } from './lists/ticket-statement.ts'
import { ticketTypes } from './lists/ticket-types.ts'
import { openTicketFile } from './ticket-files.ts'

/** As the edge lets through: what all pictures of a message may be together. */
const INBOUND_FILES = 21 * 1_048_576

export function ticketsRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listTickets, ({ db, actor }, input) =>
    ticketList(db, actor, house.secrets, input),
  )
  serveQuery(app, house, api.ticketDetail, ({ db, actor }, { feedbackId }) =>
    ticketDetail(db, actor, feedbackId),
  )
  serveQuery(app, house, api.ticketSteps, ({ db, actor }, { feedbackId }) =>
    ticketSteps(db, actor, feedbackId),
  )
  serveQuery(app, house, api.listTicketTypes, () => ticketTypes(house))
  serveQuery(app, house, api.listTakers, ({ db, actor }, input) => listTakers(db, actor, input))
  serveQuery(app, house, api.ticketStatement, ({ db, actor }, input) =>
    ticketStatement(db, actor, input),
  )
  serveQuery(app, house, api.renewTicket, renewTicket)

  serveUpload(app, house, api.addTicket, addTicket)
  serveCommand(app, house, api.claimTicket, claimTicket)
  serveCommand(app, house, api.assignTickets, assignTickets)
  serveCommand(app, house, api.releaseTicket, releaseTicket)
  serveUpload(app, house, api.replyTicket, replyTicket)
  serveCommand(app, house, api.ticketFile, openTicketFile)
  serveCommand(app, house, api.resolveTicket, resolveTicket)
  serveCommand(app, house, api.reopenTicket, reopenTicket)
  serveCommand(app, house, api.escalateTicket, escalateTicket)
  serveCommand(app, house, api.setDistribution, setDistribution)
  serveCommand(app, house, api.transferTickets, transferTickets)
  serveCommand(app, house, api.decideTransfers, decideTransfers)

  serveMachineAfter(app, house, inboundFeedback, takeFeedback, receiveFeedback, INBOUND_FILES)
  serveMachine(app, house, inboundEvaluate, receiveEvaluation)
}
