import { sql } from 'kysely'
import type { Audience } from '#gateway/manage/kernel/audience.ts'
import { ticketQueues, ticketsInScope } from '#gateway/manage/kernel/scope.ts'
import { queueRoom } from './ticket-events.ts'

/** A queue as a whole is heard by who sees every ticket; the others hear theirs through their units and themselves. One ticket is watched by those who may open it. */
export const TICKETS_AUDIENCE: Audience = {
  standing: (actor) => (actor.rights.scope === 'all' ? ticketQueues(actor).map(queueRoom) : []),
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
