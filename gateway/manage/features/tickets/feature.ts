import { sql } from 'kysely'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { sealedFile } from '#gateway/manage/kernel/kept-files.ts'
import { ticketDistribute } from './clock/ticket-distribute-job.ts'
import { ticketMessage } from './clock/ticket-message-job.ts'
import { ticketSla } from './clock/ticket-sla-job.ts'
import { ticketSweep } from './clock/ticket-sweep-job.ts'
import { assignJob } from './desk/assign-tickets.ts'
import { releaseLeasesOf } from './desk/return-ticket.ts'
import { decideTransferJob } from './handovers/decide-transfers.ts'
import { transferJob } from './handovers/transfer-tickets.ts'
import { ticketData } from './ticket-data.ts'
import { TICKETS_AUDIENCE } from './tickets-audience.ts'
import { TICKETS_HOME } from './tickets-home.ts'
import { ticketsRoutes } from './tickets-routes.ts'

export const tickets: Feature = {
  menu: TICKETS_MENU,
  audience: TICKETS_AUDIENCE,
  sealed: [sealedFile('ticket')],
  hooks: {
    whenStaffStops: [releaseLeasesOf],
    onLogout: [releaseLeasesOf],
    home: [TICKETS_HOME],
    personalData: [ticketData],
    ownedFiles: [
      {
        customerOf: sql`(select t.customer_id from feedback_file x join feedback_step s
          on s.id = x.step_id join feedback t on t.id = s.feedback_id where x.file_id = o.id)`,
      },
    ],
  },
  schedules: ({ vendors: { messages } }) => [
    ticketSweep,
    ticketSla,
    ticketDistribute,
    ...(messages ? [ticketMessage(messages)] : []),
  ],
  jobTypes: [assignJob, transferJob, decideTransferJob],
  routes: (base, { context }) => ticketsRoutes(base, context),
}
