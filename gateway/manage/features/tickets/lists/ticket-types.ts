import type { DataOf } from '#shared/kernel/endpoint.ts'
import { queueOf, TICKET_TYPES, TYPE_NAMES } from '#shared/tickets/ticket-sets.ts'
import type { listTicketTypes as typesCall } from '#shared/tickets/tickets-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'

export function ticketTypes(house: House): Promise<DataOf<typeof typesCall>> {
  return Promise.all(
    TICKET_TYPES.map(async (code) => ({
      code,
      labelKey: `tickets:type.${code}`,
      queue: queueOf(code, false),
      queueWhenOverdue: queueOf(code, true),
      slaMinutes: await house.parameters.int(`ticket.sla.${TYPE_NAMES[code]}`),
    })),
  )
}
