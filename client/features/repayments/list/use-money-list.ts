/** Rows of a list of payments, kept current by live events. */
import { type LiveList, useLiveList } from '#client/screen/list/use-live-list.ts'
import type { FilterKinds } from '#client/ui/grid/grid-url.ts'
import type { GridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import type { Applied } from './payment-apply.ts'

export interface MoneyListWanted<E extends Endpoint, Row> {
  endpoint: E
  /** Null when the filters cannot be searched: nothing is shown. */
  input: InputOf<E> | null
  url: Pick<GridUrlState<FilterKinds>, 'view' | 'key'>
  /** Name of the row id, in the row and among the filters. */
  idName: string & keyof Row
  events: readonly string[]
  apply: (rows: ReadonlyMap<string, Row>, events: readonly LiveEvent[]) => Applied
  /** Approval requests of this kind concern rows of the list, which then show that they wait. */
  waitsFor?: ApprovalKindName
}

export function useMoneyList<E extends Endpoint, Row extends { version: number }>({
  idName,
  url,
  apply,
  waitsFor,
  ...list
}: MoneyListWanted<E, Row>): LiveList<Row, DataOf<E>> {
  return useLiveList<E, Row>({
    ...list,
    rowId: idName,
    view: url.view,
    key: url.key,
    apply: (rows, events) => {
      const { ask, ...applied } = apply(rows, events)
      return { ...applied, needsRefetch: ask }
    },
    ...(waitsFor && { touches: waitingFor(waitsFor) }),
  })
}

// an approval request does not write the row itself
export function waitingFor(kind: ApprovalKindName) {
  return {
    events: [APPROVAL_CHANGED.type],
    rowOf: ({ data }: LiveEvent) => (data.kind === kind ? String(data.targetId) : null),
  }
}
