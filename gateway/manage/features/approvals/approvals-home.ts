/** Requests on a person's home page. */
import { sql } from 'kysely'
import { countRows, type HomePart } from '#gateway/manage/features/home/public.ts'
import { isForDecider } from './approval-list.ts'
import type { ApprovalKind } from './approval-kind.ts'

const DECIDE = '/home_page?tab=decide'

/** @param kinds the kinds of all features, complete when the first route is made */
export function approvalsHome(kinds: readonly ApprovalKind[]): HomePart {
  return {
    forAdministrator: true,
    next: (actor) => {
      const rows = sql`approval a where ${isForDecider(actor, kinds)}`
      return [
        {
          key: 'decide',
          count: countRows(rows),
          time: sql`(select min(a.expires_at) from ${rows})`,
          target: DECIDE,
        },
      ]
    },
    lane: (actor) => [
      {
        kind: 'request',
        rows: sql`approval a where ${isForDecider(actor, kinds)}`,
        at: 'a.expires_at',
        id: 'a.id',
        name: 'a.id',
        target: DECIDE,
        list: DECIDE,
      },
    ],
    arrivals: (actor) => [
      {
        key: 'requestsNew',
        rows: sql`approval a where ${isForDecider(actor, kinds)}`,
        at: 'a.requested_at',
        target: DECIDE,
      },
      {
        key: 'requestsDecided',
        rows: sql`
          approval a where a.requested_by = ${actor.userId} and a.state in ('approved', 'rejected')`,
        at: 'a.decided_at',
        target: DECIDE,
      },
    ],
  }
}
