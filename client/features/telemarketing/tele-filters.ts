/** Filters of the lists of the segments. A phone number stays out of the address. */
import { filtersOf, named, people, wordsOf, yesNo } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { wholePhone } from '#client/screen/list/phone-filter.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NODE_TYPES } from '#shared/telemarketing/node-sets.ts'
import { listTasks, taskOptions } from '#shared/telemarketing/tele-api.ts'
import { FOLLOW_RESULTS, LANES, type Segment } from '#shared/telemarketing/tele-sets.ts'

const leads = ({ user }: ListContext) => user.scope.kind !== 'own'
const team = ({ read }: ListContext) => people(read(taskOptions)?.people)

export const TELE_FILTERS = filtersOf({
  userId: { kind: 'text', label: 'col.userId', place: 'quick' },
  phone: { kind: 'private', label: 'col.phone', place: 'bar', placeholder: 'filter.phone' },
  lane: { kind: 'one', label: 'filter.lane', options: wordsOf('lane', LANES) },
  lastResult: {
    kind: 'many',
    label: 'col.lastResult',
    place: 'bar',
    options: wordsOf('result', FOLLOW_RESULTS),
  },
  assigneeId: { kind: 'one', label: 'col.assigneeName', options: team, when: leads },
  lossDays: { kind: 'int', label: 'col.lossDays' },
  followCount: { kind: 'int', label: 'col.followCount' },
  nextFollow: { kind: 'day', label: 'col.nextFollowTime' },
  converted: { kind: 'one', label: 'filter.converted', options: yesNo },
  ended: { kind: 'day', label: 'col.convertTime' },
  creditedTo: { kind: 'one', label: 'filter.creditedTo', options: team, when: leads },
  creditedGroup: {
    kind: 'one',
    label: 'filter.creditedGroup',
    options: ({ read }) => named(read(taskOptions)?.groups),
    when: ({ seesAll }) => seesAll,
  },
  appId: {
    kind: 'many',
    label: 'col.appName',
    options: ({ read }) => named(read(taskOptions)?.apps),
  },
  channelId: {
    kind: 'many',
    label: 'col.channelName',
    options: ({ read }) => named(read(taskOptions)?.channels),
  },
  taskType: { kind: 'one', label: 'col.taskType', options: wordsOf('node.type', NODE_TYPES) },
  nodeId: {
    kind: 'one',
    label: 'col.nodeName',
    options: ({ read }) => named(read(taskOptions)?.nodes),
  },
  unassigned: {
    kind: 'one',
    label: 'filter.unassigned',
    options: ({ t }) => [{ value: 'true', label: t('ui:yes') }],
    when: leads,
  },
})

/** @returns why nothing can match: the call takes whole phone numbers only */
export function taskInput(
  segment: Segment,
  query: Record<string, unknown>,
  { t }: Pick<ListContext, 't'>,
): InputOf<typeof listTasks> | string {
  const phone = wholePhone(query.phone)
  if (phone === null) return t('filter.phoneFault')
  return { ...listInput(listTasks, { ...query, phone }), segment }
}
