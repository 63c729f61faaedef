/** Filters of move requests and of the log of moves: in the URL, on the bar, and as call input. */
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import { CHANGE_STATES, MOVE_CAUSES, TRANSFER_TYPES } from '#shared/collection/collection-sets.ts'
import type { collectionTree } from '#shared/collection/tree-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { Text } from '#client/base/use-text.ts'

const ENDS = { fromUserId: 'one', toUserId: 'one', agencyId: 'one' } as const
export const CHANGE_FILTERS = {
  changeId: 'text',
  transferType: 'one',
  state: 'one',
  ...ENDS,
  launcher: 'text',
  time: 'day',
} as const
export const MOVE_FILTERS = {
  caseId: 'text',
  orderId: 'text',
  cause: 'one',
  ...ENDS,
  time: 'day',
} as const

type Tree = DataOf<typeof collectionTree> | undefined

export function changeFields(t: Text, tree: Tree): FilterField<keyof typeof CHANGE_FILTERS>[] {
  return [
    {
      name: 'changeId',
      kind: 'text',
      label: t('change.col.changeId'),
      place: 'quick',
      placeholder: t('change.col.changeId'),
    },
    {
      name: 'state',
      kind: 'one',
      label: t('change.col.state'),
      place: 'bar',
      options: CHANGE_STATES.map((value) => ({ value, label: t(`changeState.${value}`) })),
    },
    {
      name: 'transferType',
      kind: 'one',
      label: t('change.col.transferType'),
      place: 'bar',
      options: TRANSFER_TYPES.map((value) => ({ value, label: t(`transferType.${value}`) })),
    },
    ...endFields(t, tree),
    { name: 'launcher', kind: 'text', label: t('change.col.launchBy') },
    { name: 'time', kind: 'day', label: t('change.col.launchTime') },
  ]
}

export function moveFields(t: Text, tree: Tree): FilterField<keyof typeof MOVE_FILTERS>[] {
  return [
    {
      name: 'caseId',
      kind: 'text',
      label: t('change.col.caseId'),
      place: 'quick',
      placeholder: t('change.col.caseId'),
    },
    {
      name: 'cause',
      kind: 'one',
      label: t('change.col.cause'),
      place: 'bar',
      options: MOVE_CAUSES.map((value) => ({ value, label: t(`cause.${value}`) })),
    },
    { name: 'orderId', kind: 'text', label: t('change.col.orderId') },
    ...endFields(t, tree),
    { name: 'time', kind: 'day', label: t('change.col.time') },
  ]
}

/** Giver, receiver, and the agency on either side. */
function endFields(t: Text, tree: Tree): FilterField<keyof typeof ENDS>[] {
  const people = (tree?.collectors ?? []).map(({ userId, userName, account }) => ({
    value: userId,
    label: `${userName} (${account})`,
  }))
  return [
    { name: 'fromUserId', kind: 'one', label: t('change.col.from'), options: people },
    { name: 'toUserId', kind: 'one', label: t('change.col.to'), options: people },
    {
      name: 'agencyId',
      kind: 'one',
      label: t('desk.col.agencyName'),
      options: (tree?.agencies ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
  ]
}
