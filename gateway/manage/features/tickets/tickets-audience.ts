import { sql } from 'kysely'
import type { Audience } from '#gateway/manage/kernel/audience.ts'
import { ticketQueues, ticketsInScope } from './ticket-scope.ts'
import { queueRoom } from './ticket-events.ts'

/**
 * The room of a whole queue is joined by people who see every ticket; others get tickets through
 * the rooms of their units and their own. One ticket can be watched by people who may open it.
 */
export const TICKETS_AUDIENCE: Audience = {
  rooms: (actor) => (actor.rights.scope === 'all' ? ticketQueues(actor).map(queueRoom) : []),
  watch: {
    async ticket(db, actor, feedbackId) {
      const { rows } =
        await sql`select from feedback t where t.id = ${feedbackId} and ${ticketsInScope(actor)}`.execute(
          db,
        )
      return rows.length === 0 ? null : `ticket:${feedbackId}`
    },
  },
}
