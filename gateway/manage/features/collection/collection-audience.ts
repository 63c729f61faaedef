import { sql } from 'kysely'
import type { Audience } from '#gateway/manage/kernel/audience.ts'
import { casesInScope } from './case-scope.ts'
import { isOfUnit } from './allocation/allocation-facts.ts'

const VIEWS = ['pedding_list:view', 'peded_list:view'] as const

/**
 * Events of cases follow the data scope: a session is in the rooms of its scope and its own. A
 * single case may be watched by anyone who may open it.
 */
export const COLLECTION_AUDIENCE: Audience = {
  watch: {
    async case(db, actor, caseId) {
      if (!VIEWS.some((code) => actor.rights.permissions.has(code))) return null
      const { rows } =
        await sql`select from collection_case c where c.id = ${caseId} and ${casesInScope(actor)}`.execute(
          db,
        )
      return rows.length === 0 ? null : `case:${caseId}`
    },
    // presence on a plan before it runs
    async plan(db, actor, planId) {
      if (!actor.rights.permissions.has('pedding_list:auto')) return null
      const { rows } = await sql`
          select from allocation_plan p where p.id = ${planId} and p.expires_at > clock_timestamp()
            and ${isOfUnit(actor, 'p')}`.execute(db)
      return rows.length === 0 ? null : `plan:${planId}`
    },
  },
  rows: {
    async case(db, actor, caseIds) {
      if (!VIEWS.some((code) => actor.rights.permissions.has(code))) return []
      const { rows } = await sql<{
        id: string
      }>`select c.id from collection_case c where c.id = any(${caseIds}::text[]) and ${casesInScope(actor)}`.execute(
        db,
      )
      return rows.map(({ id }) => id)
    },
  },
}
