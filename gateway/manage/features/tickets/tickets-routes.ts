import type { FastifyInstance } from 'fastify'
import { inboundEvaluate, inboundFeedback } from '#shared/tickets/inbound-feedback-api.ts'
import * as api from '#shared/tickets/tickets-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveMachine, serveMachineAfter } from '#gateway/manage/kernel/machine.ts'
import { serveCommand, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { addTicket } from './desk/add-ticket.ts'
import { assignTickets } from './desk/assign-tickets.ts'
import { claimNextTicket } from './desk/claim-next-ticket.ts'
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

/** The limit of the edge: the sum of all pictures of a message. */
const INBOUND_FILES = 21 * 1_048_576

export function ticketsRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listTickets, ({ db, actor }, input) =>
    ticketList(db, actor, context.secrets, input),
  )
  serveQuery(app, context, api.ticketDetail, ({ db, actor }, { feedbackId }) =>
    ticketDetail(db, actor, feedbackId),
  )
  serveQuery(app, context, api.ticketSteps, ({ db, actor }, { feedbackId }) =>
    ticketSteps(db, actor, feedbackId),
  )
  serveQuery(app, context, api.listTicketTypes, () => ticketTypes(context))
  serveQuery(app, context, api.listTakers, ({ db, actor }, input) => listTakers(db, actor, input))
  serveQuery(app, context, api.ticketStatement, ({ db, actor }, input) =>
    ticketStatement(db, actor, input),
  )
  serveQuery(app, context, api.renewTicket, renewTicket)

  serveUpload(app, context, api.addTicket, addTicket)
  serveCommand(app, context, api.claimTicket, claimTicket)
  serveCommand(app, context, api.claimNextTicket, claimNextTicket)
  serveCommand(app, context, api.assignTickets, assignTickets)
  serveCommand(app, context, api.releaseTicket, releaseTicket)
  serveUpload(app, context, api.replyTicket, replyTicket)
  serveCommand(app, context, api.ticketFile, openTicketFile)
  serveCommand(app, context, api.resolveTicket, resolveTicket)
  serveCommand(app, context, api.reopenTicket, reopenTicket)
  serveCommand(app, context, api.escalateTicket, escalateTicket)
  serveCommand(app, context, api.setDistribution, setDistribution)
  serveCommand(app, context, api.transferTickets, transferTickets)
  serveCommand(app, context, api.decideTransfers, decideTransfers)

  serveMachineAfter(app, context, inboundFeedback, takeFeedback, receiveFeedback, INBOUND_FILES)
  serveMachine(app, context, inboundEvaluate, receiveEvaluation)
}
