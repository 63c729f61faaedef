/** How the lists of payments and instalments follow their live events. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { LiveRules, Touches } from '#client/screen/list/use-live-list.ts'
import type { FilterKinds, Filters } from '#client/ui/grid/grid-url.ts'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import type { Applied } from './payment-apply.ts'

type Rules<Row> = Pick<LiveRules<Endpoint, Row>, 'events' | 'apply' | 'touches'>

/** @param waitsFor approval requests of these kinds concern rows, which then show that they wait */
export function followPayments<Row, Kinds extends FilterKinds>(
  kinds: Kinds,
  events: readonly string[],
  apply: (
    rows: ReadonlyMap<string, Row>,
    events: readonly LiveEvent[],
    filters: Filters<Kinds>,
    gone: string,
  ) => Applied,
  waitsFor?: readonly ApprovalKindName[],
): (context: ListContext) => Rules<Row> {
  return ({ t, filters }) => ({
    events,
    apply(rows, arrived) {
      return apply(rows, arrived, filters(kinds), t('list.left'))
    },
    ...(waitsFor && { touches: waitingFor(waitsFor) }),
  })
}

// an approval request does not write the row itself
function waitingFor(kinds: readonly string[]): Touches {
  return {
    events: [APPROVAL_CHANGED.type],
    rowOf: ({ data }: LiveEvent) =>
      kinds.includes(String(data.kind)) ? String(data.targetId) : null,
  }
}
