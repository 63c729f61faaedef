import type { DataOf } from '#shared/kernel/endpoint.ts'
import { queueOf, TICKET_TYPES, TYPE_NAMES } from '#shared/tickets/ticket-sets.ts'
import type { listTicketTypes as typesCall } from '#shared/tickets/tickets-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'

export function ticketTypes(context: AppContext): Promise<DataOf<typeof typesCall>> {
  return Promise.all(
    TICKET_TYPES.map(async (code) => ({
      code,
      labelKey: `tickets:type.${code}`,
      queue: queueOf(code, false),
      queueWhenOverdue: queueOf(code, true),
      slaMinutes: await context.parameters.int(`ticket.sla.${TYPE_NAMES[code]}`),
    })),
  )
}
